/** Values of the new row of a file, such as `title`, `folder_id` and `visibility`. */
export type FileValues = Readonly<Record<string, string | null | undefined>>;

/**
 * Formats metadata as the header `Upload-Metadata` of tus: names with base64 of UTF-8. Null and undefined are omitted.
 *
 * @throws TypeError for a name that the header cannot contain
 */
export function writeMetadata(values: FileValues): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(name)) {
        throw new TypeError(`A value of a file cannot have the name ${JSON.stringify(name)}`);
      }
      return [`${name} ${base64(value)}`.trimEnd()];
    })
    .join();
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
