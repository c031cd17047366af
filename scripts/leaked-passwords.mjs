// `node scripts/leaked-passwords.mjs list.txt`: writes packages/accounts/assets/leaked-passwords.bin from a list of passwords,
// one per line, most common first. `packages/accounts/src/passwords/check-password.ts` names the source of the current list.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [list] = process.argv.slice(2);
if (list === undefined) {
  console.error("usage: node scripts/leaked-passwords.mjs list.txt");
  process.exit(1);
}
const entriesMax = 10_000;
const digestBytes = 5;

// Only passwords that the length rule accepts. Non-ASCII entries are skipped: such lists contain them in broken encodings.
const words = readFileSync(list, "utf8").split(/\r?\n/);
const fitting = words.filter((word) => /^[\x21-\x7e]{12,256}$/.test(word));
const chosen = [...new Set(fitting.map((word) => word.toLowerCase()))].slice(0, entriesMax);
const digests = chosen
  .map((word) => createHash("sha256").update(word).digest().subarray(0, digestBytes))
  .sort(Buffer.compare);

writeFileSync("packages/accounts/assets/leaked-passwords.bin", Buffer.concat(digests));
console.log(`${digests.length} of ${words.length}`);
