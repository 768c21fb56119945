/**
 * Small pictures of every type that may be uploaded, and the means to hide something in them.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";

/** 6 × 4 pixels each, the GIF 1 × 1. */
export const IMAGES = {
  "image/jpeg": Uint8Array.fromBase64(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAAQABAAEAAQABEAEAASABQAFAASABkAGwAYABsAGQAlACIAHwAfACIAJQA4ACgAKwAoACsAKAA4AFUANQA+ADUANQA+ADUAVQBLAFsASgBFAEoAWwBLAIcAagBeAF4AagCHAJwAgwB8AIMAnAC9AKkAqQC9AO4A4gDuATcBNwGiEQAQABAAEAAQABEAEAASABQAFAASABkAGwAYABsAGQAlACIAHwAfACIAJQA4ACgAKwAoACsAKAA4AFUANQA+ADUANQA+ADUAVQBLAFsASgBFAEoAWwBLAIcAagBeAF4AagCHAJwAgwB8AIMAnAC9AKkAqQC9AO4A4gDuATcBNwGi/8IAEQgABAAGAwEiAAIRAQMRAf/EACgAAQEAAAAAAAAAAAAAAAAAAAACAQEBAAAAAAAAAAAAAAAAAAABBP/aAAwDAQACEAMQAAAAkSH/xAAcEAACAgIDAAAAAAAAAAAAAAABAgMRABIigcL/2gAIAQEAAT8A4JHRjVwNaDdjzn//xAAaEQACAgMAAAAAAAAAAAAAAAABAgADETGx/9oACAECAQE/AL2YWthiNcn/xAAYEQEBAAMAAAAAAAAAAAAAAAACAQASIf/aAAgBAwEBPwBNFuFWTa8mf//Z",
  ),
  "image/webp": Uint8Array.fromBase64(
    "UklGRloAAABXRUJQVlA4IE4AAADQAQCdASoGAAQAAsBMJbACdAEegkDCOAD74Sqh+9I8/aGny+eEHCS857TU8MQbR/NsDgPZt3k3SL/Jvb0OT9x9+Z67fFYPI57N34LuAAA=",
  ),
  "image/png": Uint8Array.fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAACtBE5DAAAAb0lEQVR4AQFkAJv/AAAlSv+Uud7/KE1y/7zhBv9QdZr/5Aku/wB4ncL/DDFW/6DF6v80WX7/yO0S/1yBpv8A8BU6/4Spzv8YPWL/rNH2/0Bliv/U+R7/AGiNsv/8IUb/kLXa/yRJbv+43QL/THGW/zh5OwFm5esMAAAAAElFTkSuQmCC",
  ),
  "image/avif": Uint8Array.fromBase64(
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAADQAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAYAAAAEAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAACAAIABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAADxtZGF0EgAKCBgIbsECAgaEMiYZgBBBBAQAAjUNJdVX91MdcoijadxdYJus60uFrr4JH9RQZGIawA==",
  ),
  "image/gif": Uint8Array.fromBase64(
    "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  ),
} as const;

const encoder = new TextEncoder();

/** What must never be found in something that was stored. */
export const SECRET_PLACE = "GPS 47.3769N 8.5417E";

/** A PNG chunk. */
export function pngChunk(type: string, payload: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, payload.byteLength);
  const checked = joinBytes([encoder.encode(type), payload]);
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, crc32(checked));
  return joinBytes([length, checked, checksum]);
}

/** A JPEG segment. */
export function jpegSegment(marker: number, payload: Uint8Array): Uint8Array {
  const size = payload.byteLength + 2;
  return joinBytes([Uint8Array.of(0xff, marker, size >> 8, size & 0xff), payload]);
}

/** An EXIF payload with an orientation and a place. */
export function exifPayload(orientation: number): Uint8Array {
  const tiff = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0];
  return joinBytes([
    encoder.encode("Exif\0\0"),
    Uint8Array.from([...tiff, 0, 0, 0, 0, 0, 0]),
    encoder.encode(SECRET_PLACE),
  ]);
}

/** A JPEG full of private metadata. */
export function talkativeJpeg(orientation = 1): Uint8Array {
  const plain = IMAGES["image/jpeg"];
  return joinBytes([
    plain.subarray(0, 2),
    jpegSegment(0xe1, exifPayload(orientation)),
    jpegSegment(0xe1, encoder.encode(`http://ns.adobe.com/xap/1.0/\0${SECRET_PLACE}`)),
    jpegSegment(0xe2, encoder.encode(`MPF\0${SECRET_PLACE}`)),
    jpegSegment(0xe2, encoder.encode("ICC_PROFILE\0kept")),
    jpegSegment(0xed, encoder.encode(`Photoshop 3.0\0${SECRET_PLACE}`)),
    jpegSegment(0xfe, encoder.encode(SECRET_PLACE)),
    plain.subarray(2),
    encoder.encode(`a second picture: ${SECRET_PLACE}`),
  ]);
}

/** A PNG of exactly `bytes` bytes, most of them in a chunk that stays: a suggested palette. */
export function paddedPng(bytes: number): Uint8Array<ArrayBuffer> {
  const plain = IMAGES["image/png"];
  const end = plain.byteLength - 12;
  const padding = new Uint8Array(bytes - plain.byteLength - 12).fill(7);
  return joinBytes([plain.subarray(0, end), pngChunk("sPLT", padding), plain.subarray(end)]);
}
