/** Encodings of files, by the names that browsers have for them. */
export type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be";

/**
 * Returns the encodings that a file can have, the likely one first: UTF-16 by its byte order mark, UTF-8 if the whole
 * file is valid UTF-8.
 */
export async function possibleEncodings(file: Blob): Promise<readonly Encoding[]> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0xff && second === 0xfe) return ["utf-16le"];
  if (first === 0xfe && second === 0xff) return ["utf-16be"];
  const others = ["windows-1252", "utf-16le", "utf-16be"] as const;
  return (await isUtf8(file)) ? ["utf-8", ...others] : others;
}

async function isUtf8(file: Blob): Promise<boolean> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      decoder.decode(value, { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  } finally {
    await reader.cancel();
  }
}
