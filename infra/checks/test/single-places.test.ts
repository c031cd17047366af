import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Texts that one source file may contain, with that file. */
const places: readonly (readonly [text: RegExp, path: string])[] = [
  [/insert into system\.workflow_runs\b/i, "packages/workflows/src/model/new-run.ts"],
  [/"IDEMPOTENCY_CONFLICT"\)/, "packages/db/src/idempotency-keys.ts"],
  [/malformedIdempotencyKey }/, "packages/db/src/idempotency-keys.ts"],
];

function sourcesOfServer(): (readonly [path: string, text: string])[] {
  const rooms = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/src`),
  );
  return rooms
    .filter((room) => !/^(?:apps\/console|packages\/testing)\//.test(room))
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => [`${room}/${name}`, readFileSync(join(root, room, name), "utf8")] as const),
    );
}

it.each(places)("%s stands in one source file", (text, path) => {
  const found = sourcesOfServer().filter(([, source]) => text.test(source));
  expect(found.map(([name]) => name)).toEqual([path]);
});
