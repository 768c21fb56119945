import { assertEquals } from "@std/assert";
import {
  allowsContent,
  consentNeeded,
  isCapability,
} from "../../../../kv/model/entities/capability.ts";

Deno.test("isCapability() knows the strings that there are", () => {
  const known = ["content:read", "content:read:posts", "content:write:my-posts", "net:host"];
  assertEquals([...known, "settings:own", "mail:send"].filter((text) => !isCapability(text)), []);
  const unknown = ["", "*", "content", "content:read:", "content:read:*", "content:read:Posts"];
  const odd = [
    "content:delete",
    "net:host:x",
    "content:read:a:b",
    `content:read:${"a".repeat(200)}`,
  ];
  assertEquals([...unknown, ...odd].filter(isCapability), []);
});

Deno.test("allowsContent() implies nothing", () => {
  assertEquals(allowsContent(["content:read"], "read", "posts"), true);
  assertEquals(allowsContent(["content:read:posts"], "read", "posts"), true);
  assertEquals(allowsContent(["content:read:posts"], "read", "post"), false);
  assertEquals(allowsContent(["content:write"], "read", "posts"), false);
  assertEquals(allowsContent([], "read", "posts"), false);
});

Deno.test("consentNeeded() returns new capabilities, and outside calls again if there are new hosts", () => {
  const asks = (capabilities: string[], hosts: string[] = []) => ({ capabilities, hosts });
  assertEquals(consentNeeded(asks(["a", "b"]), null), ["a", "b"]);
  assertEquals(consentNeeded(asks(["a", "b"]), asks(["a"])), ["b"]);
  assertEquals(consentNeeded(asks(["a"]), asks(["a", "b"])), []);
  const net = asks(["net:host"], ["a.example"]);
  assertEquals(consentNeeded(net, net), []);
  assertEquals(consentNeeded(asks(["net:host"], ["b.example"]), net), ["net:host"]);
  assertEquals(consentNeeded(asks(["net:host"], []), net), []);
  assertEquals(consentNeeded(net, null), ["net:host"]);
});
