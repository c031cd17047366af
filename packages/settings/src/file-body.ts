import type { Settings } from "./definitions.ts";

/** Bytes of a multipart body besides its file: the other fields, and the lines between the parts. */
const partsBytes = 1_048_576;

/** The size limit of a body that holds a file, in bytes. */
export function fileBodyBytes(settings: Pick<Settings, "files.max_bytes">): number {
  return settings["files.max_bytes"] + partsBytes;
}
