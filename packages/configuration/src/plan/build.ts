import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { stepKinds } from "../model/part.ts";
import { jsonSchemas } from "../parts/parts.ts";

let found: Promise<string> | undefined;

/**
 * Returns the identity of this build: another one may compare and execute the same documents otherwise. A bundled program is
 * known by its file, which contains the code or the names of its parts, which have the digests of theirs; one that runs from
 * the sources by the documents and steps that it has.
 */
export function readBuild(): Promise<string> {
  found ??= hashBuild();
  return found;
}

async function hashBuild(): Promise<string> {
  const [, path = ""] = process.argv;
  const program = await readFile(path).catch(() => "");
  const hash = createHash("sha256").update(JSON.stringify([jsonSchemas(), stepKinds]));
  return hash.update(program).digest("hex").slice(0, 32);
}
