/** States as bytes: whatever the form, they are read back as they were. */
import {
  decodeState,
  encodeState,
  packState,
  unpackedBytes,
  unpackState,
} from "../../../kv/versioning/state_codec.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { seededRandom } from "../../support/harness/harness.ts";

Deno.test("a packed state is read back as it was, at any length and of any text", () => {
  const random = seededRandom(3);
  const letters = ["a", "é", "語", "😀", '"', "\\", "\u0001", " "];
  for (let length = 0; length < 3_000; length += 37) {
    let text = "";
    for (let n = 0; n < length; n++) text += letters[Math.floor(random() * letters.length)];
    const state = { id: "D", title: text, data: { n: length } };
    const json = encodeState(state);
    const packed = packState(json);
    assertEquals(decodeState(packed) as unknown, state);
    assertEquals(decodeState(json) as unknown, state);
    assertEquals([...unpackState(packed)], [...json]);
    assertEquals(unpackedBytes(packed), json.byteLength);
    assert(packed.byteLength <= json.byteLength);
    assertEquals(packState(packed), packed);
  }
});

Deno.test("a state is packed from some length on, if that makes it shorter", () => {
  const short = encodeState({ title: "x".repeat(300) });
  assertEquals(packState(short), short);
  const long = encodeState({ title: "word ".repeat(300) });
  assert(packState(long).byteLength < long.byteLength / 4);
  const random = seededRandom(7);
  const noise = Array.from({ length: 2_000 }, () => String.fromCharCode(33 + random() * 90)).join(
    "",
  );
  assert(packState(encodeState({ noise })).byteLength <= encodeState({ noise }).byteLength);
});
