import { assertEquals } from "@std/assert";
import {
  clientAddress,
  normalAddress,
  UNKNOWN_ADDRESS,
} from "../../../routes/middleware/client_address.ts";

const remote = { transport: "tcp", hostname: "10.0.0.1", port: 5 };

Deno.test("clientAddress() trusts the connection alone when no proxy is trusted", () => {
  assertEquals(clientAddress("1.2.3.4", remote, 0), "10.0.0.1");
  assertEquals(clientAddress(null, remote, 0), "10.0.0.1");
});

Deno.test("clientAddress() counts trusted proxies from the right", () => {
  const header = "9.9.9.9, 1.1.1.1, 2.2.2.2";

  assertEquals(clientAddress(header, remote, 1), "2.2.2.2");
  assertEquals(clientAddress(header, remote, 2), "1.1.1.1");
  assertEquals(clientAddress(header, remote, 3), "9.9.9.9");
  assertEquals(clientAddress(header, remote, 4), "9.9.9.9");
  assertEquals(clientAddress(null, remote, 2), "10.0.0.1");
});

Deno.test("clientAddress() passes over malformed entries inwards, never outwards", () => {
  assertEquals(clientAddress("6.6.6.6, nonsense", remote, 1), "10.0.0.1");
  assertEquals(clientAddress("6.6.6.6, nonsense, 2.2.2.2", remote, 2), "2.2.2.2");
  assertEquals(clientAddress("", remote, 1), "10.0.0.1");
  assertEquals(clientAddress(", ,", remote, 3), "10.0.0.1");
});

Deno.test("clientAddress() gives connections without an address one name", () => {
  assertEquals(clientAddress(null, undefined, 0), UNKNOWN_ADDRESS);
  assertEquals(clientAddress(null, { transport: "unix" }, 0), UNKNOWN_ADDRESS);
  assertEquals(clientAddress("x", { transport: "unix" }, 1), UNKNOWN_ADDRESS);
});

Deno.test("normalAddress() takes IPv6 by its /64 and IPv4 as it is, with or without a port", () => {
  const table: [string, string | null][] = [
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:1234", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["[2001:db8::1]:443", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    ["", null],
    ["unknown", null],
    ["256.1.1.1", null],
    ["1.2.3", null],
    ["2001:db8::1::2", null],
    ["for=1.2.3.4", null],
    ["1.2.3.4\u0000", null],
  ];

  for (const [text, expected] of table) assertEquals(normalAddress(text), expected, text);
});
