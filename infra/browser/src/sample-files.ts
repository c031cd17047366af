import { crc32, deflateSync } from "node:zlib";

/** A picture of two colors that blend from corner to corner. */
export function samplePicture(width: number, height: number, hue: number): Uint8Array {
  const lines: number[] = [];
  for (let y = 0; y < height; y += 1) {
    lines.push(0);
    for (let x = 0; x < width; x += 1) {
      const part = (x / width + y / height) / 2;
      for (const shift of [0, 120, 240]) {
        const angle = ((hue + shift + part * 120) * Math.PI) / 180;
        lines.push(Math.round(128 + 110 * Math.sin(angle)));
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a sample, red, green and blue.
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Uint8Array.from(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

/** Silence of some seconds as MP3: frames of 1152 samples at 44.1 kHz and 128 kbit/s, whose data is empty. */
export function sampleSound(seconds: number): Uint8Array {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: Math.ceil((seconds * 44_100) / 1152) }, () => frame));
}
