import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadSample } from "@rowhouse/configuration";
import { createToken, createUser, expose, signIn } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Garage, startGarage } from "./environment.ts";

// Each line `expression; // value` of the README is a claim.

type Claim = (claimed: unknown, value: unknown) => void;
type Given = Readonly<Record<string, unknown>>;

const folder = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

let garage: Garage;
let given: Given;
beforeAll(async () => {
  garage = await startGarage();
  const { environment } = garage;
  const { database } = environment.test;
  await loadSample(database);
  await expose(database, "system", "files", "GET", "POST", "PATCH");
  const user = await createUser(database, "grace@example.com", "Administrators");
  const { secret: token } = await createToken(database, user.id, "api");
  given = { url: environment.url, token, ...signIn, askForSession: () => null };
});
afterAll(() => garage.environment.stop());

describe("the examples of the README", () => {
  it.each(blocks.map((_block, index) => index))(
    "number %i runs and gives the values in its comments",
    async (index) => {
      const file = `${folder}.readme-${index}-${process.pid}.ts`;
      const block = blocks[index] ?? "";
      const claims = [...block.matchAll(/^[^\s/].*; \/\/ /gm)].length;
      const body = block
        .replaceAll(/^import .*$/gm, "")
        .replaceAll(/^([^\s/].*); \/\/ (.+)$/gm, "claim($2, $1);");
      const imports =
        'import { composeClient, createClient, RowhouseError, ref, withSignIn, withBasicRows } from "../src/index.ts";';
      const names = Object.keys(given).join();
      const code = `${imports}\nexport async function run({ ${names} }, claim) {\n${body}\n}`;
      writeFileSync(file, `// @ts-nocheck\n${code}`);
      try {
        const { run } = (await import(pathToFileURL(file).href)) as {
          readonly run: (given: Given, claim: Claim) => Promise<void>;
        };
        let seen = 0;
        await run(given, (claimed, value) => {
          seen += 1;
          expect(value).toEqual(claimed);
        });
        expect(seen).toBe(claims);
      } finally {
        rmSync(file);
      }
    },
  );
});
