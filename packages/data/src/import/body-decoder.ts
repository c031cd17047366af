import type { Encoding } from "./file-form.ts";

/** Converts the bytes of a body to text as they arrive. */
export interface BodyDecoder {
  /**
   * @param bytes the next ones; undefined at the end
   * @throws TypeError for bytes that are no text of the encoding
   */
  decode(bytes: Uint8Array | undefined): string;
}

/** Returns a decoder. In UTF-16 a byte order mark decides the order of the bytes; without one it is little-endian. */
export function createBodyDecoder(encoding: Encoding, fatal: boolean): BodyDecoder {
  let decoder = encoding === "utf-16" ? undefined : new TextDecoder(encoding, { fatal });
  let start = new Uint8Array(0);
  return {
    decode: (bytes) => {
      if (decoder === undefined) {
        start = new Uint8Array(Buffer.concat([start, bytes ?? new Uint8Array(0)]));
        if (start.length < 2 && bytes !== undefined) return "";
        const isBig = start[0] === 0xfe && start[1] === 0xff;
        decoder = new TextDecoder(isBig ? "utf-16be" : "utf-16le", { fatal });
        if (bytes !== undefined) return decoder.decode(start, { stream: true });
        return decoder.decode(start);
      }
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    },
  };
}
