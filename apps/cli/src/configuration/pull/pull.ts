import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@rowhouse/client";
import { isPortablePath, partNames, partOfPath } from "@rowhouse/wire";
import { z } from "zod";
import { CommandError } from "../../base/command-error.ts";
import { readValue, type VariableValue } from "../../yaml/yaml-values.ts";
import type { ConfigurationOptions } from "../arguments.ts";
import { listPaths, readExactly, requirePlace } from "../folder.ts";
import { FolderComparison } from "./compare-files.ts";
import { decideAll, type PullDecision } from "./decide.ts";
import { digestOfText, type Manifest, readManifest, schemaPathOf } from "./manifest.ts";
import { PullPlan, type PullReport } from "./pull-plan.ts";
import { basesOf, groupDocuments, leavesMore, type PulledDocument } from "./pulled-documents.ts";
import { replaceFiles } from "./replace-files.ts";
import { Spellings } from "./spellings.ts";

export const rootPath = "rowhouse.yaml";
const filesSchema = z.object({ data: z.object({ files: z.record(z.string(), z.string()) }) });
type Texts = ReadonlyMap<string, string>;

/**
 * Takes the state of the service over into the files of a folder.
 *
 * @throws CommandError before the first write, for what is in the way: a conflict, a path out of the folder, a link
 */
export async function pull(client: Client, options: ConfigurationOptions): Promise<PullReport> {
  const { folder } = options;
  const read = await readExactly(folder);
  const parts = options.parts ?? partsIn(read.get(rootPath)) ?? partNames;
  const isOf = (path: string) => parts.includes(partOfPath(path));
  await refuseLinks(folder, parts);
  const service = await readService(client, options.parts ?? partsIn(read.get(rootPath)), isOf);
  const schemas = await readSchemas(client);
  const all = new Map([...read, ...(await readPresent(folder, [...schemas.keys()]))]);
  // A folder without the root file is no configuration yet, whatever lies in it.
  const hasRoot = read.has(rootPath);
  const manifest = hasRoot ? await readManifest(folder, digestIn(all)) : undefined;
  const before: Manifest = manifest ?? new Map();
  const ofParts = <Value>(map: ReadonlyMap<string, Value>) =>
    new Map([...map].filter(([path]) => isOf(path)));
  const documents = groupDocuments(ofParts(read), ofParts(service), ofParts(before));
  const decisions = hasRoot
    ? await decide(client, options, {
        documents,
        read,
        service,
        hasManifest: manifest !== undefined,
      })
    : decideFirst(documents, options.force);
  // The root file is first: a pull that is killed leaves a configuration, to which the manifest belongs.
  const first = hasRoot ? [] : [[rootPath, service.get(rootPath) ?? ""] as const];
  const plan = new PullPlan(all, before, first);
  for (const document of documents) {
    plan.add(document, decisions.get(document.stem) ?? { kind: "KEEP" });
  }
  for (const [path, text] of schemas) plan.addSchema(path, text, options.force);
  plan.refuseConflicts(await listPaths(folder));
  await replaceFiles(folder, plan.replacement());
  return plan.report([...service.keys()]);
}

/** Returns the parts that a root file names; undefined for none that can be read. */
export function partsIn(root: string | undefined): readonly string[] | undefined {
  const value = root === undefined ? undefined : readValue(root.replace(/^\ufeff/, ""));
  const parsed = z.object({ parts: z.array(z.enum(partNames)).min(1) }).safeParse(value);
  return parsed.success ? parsed.data.parts : undefined;
}

/** `pull` neither reads nor writes through a link, so its files would be missing without a word. */
async function refuseLinks(folder: string, parts: readonly string[]): Promise<void> {
  for (const name of [...parts, "schemas", "settings.yaml", rootPath]) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isSymbolicLink()) {
      throw new CommandError(
        `${name} is a link. Nothing was written: pull writes only files in the folder itself. Move it away, or choose parts with --part.`,
      );
    }
  }
}

/** @throws CommandError if the service returns a path that is none of a configuration */
async function readService(
  client: Client,
  parts: readonly string[] | undefined,
  isOf: (path: string) => boolean,
): Promise<Texts> {
  const query = parts === undefined ? {} : { part: parts.join(",") };
  const answer = filesSchema.safeParse(await client.admin.get("/configuration", { query }));
  if (!answer.success)
    throw new CommandError("The service returned no files. Nothing was written.");
  const files = new Map(Object.entries(answer.data.data.files));
  const spellings = new Spellings();
  for (const path of files.keys()) {
    const isKnown = isPortablePath(path) && (path === rootPath || isOf(path));
    if (!isKnown || spellings.otherThan(path) !== undefined) {
      throw new CommandError(
        `The service returned the path ${path}, which is none of these parts. Nothing was written.`,
      );
    }
    spellings.add(path);
  }
  if (!files.has(rootPath)) throw new CommandError(`The service returned no ${rootPath}.`);
  return files;
}

/** Reads the JSON Schema of each part, for editors. The service does not read them. */
async function readSchemas(client: Client): Promise<Texts> {
  const { data } = await client.admin.get("/configuration/schemas");
  const schemas = data as Readonly<Record<string, unknown>>;
  const known = partNames.filter((name) => Object.hasOwn(schemas, name));
  return new Map(
    known.map((part) => [schemaPathOf(part), `${JSON.stringify(schemas[part], null, 2)}\n`]),
  );
}

async function readPresent(folder: string, paths: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const isFile = (await requirePlace(folder, path)) !== undefined;
    if (isFile) texts.set(path, await readFile(join(folder, path), "utf8"));
  }
  return texts;
}

function digestIn(texts: Texts): (path: string) => string | undefined {
  return (path) => {
    const text = texts.get(path);
    return text === undefined ? undefined : digestOfText(text);
  };
}

async function decide(
  client: Client,
  options: ConfigurationOptions,
  state: {
    readonly documents: readonly PulledDocument[];
    readonly read: Texts;
    readonly service: Texts;
    readonly hasManifest: boolean;
  },
): Promise<ReadonlyMap<string, PullDecision>> {
  const { documents, read, service, hasManifest } = state;
  const others = [...read].filter(([path]) => /^(?:rowhouse\.yaml$|environments\/)/.test(path));
  const bare = others.map(([path, text]) => [path, text.replace(/^\ufeff/, "")]);
  const files = Object.fromEntries(bare) as Readonly<Record<string, string>>;
  const known = documents.filter((document) => document.service.size > 0);
  const comparison = new FolderComparison(client, options, known, files);
  const different = known.some(({ own }) => own.size > 0)
    ? await comparison.different()
    : new Set();
  const open = documents.filter(
    (document) =>
      document.own.size === 0 ||
      document.service.size === 0 ||
      different.has(document.stem) ||
      leavesMore(document),
  );
  if (open.every(({ own }) => own.size === 0) && !hasManifest) return decideFirst(documents, false);
  const { data: drift } = await client.admin.get("/configuration/drift");
  return decideAll(open, {
    ...{ hasManifest, force: options.force, baseOf: basesOf(drift, service) },
    variableOf: variablesOf(options, files),
    prove: (merged) => comparison.same(merged),
  });
}

function variablesOf(
  { environment, variables }: ConfigurationOptions,
  files: Readonly<Record<string, string>>,
): VariableValue {
  const file = environment === undefined ? "" : (files[`environments/${environment}.yaml`] ?? "");
  const values = { ...(readValue(file) as Readonly<Record<string, string>>), ...variables };
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

/** A folder that is no configuration yet: a file that differs is somebody's own. */
function decideFirst(
  documents: readonly PulledDocument[],
  force: boolean,
): ReadonlyMap<string, PullDecision> {
  return new Map(
    documents.map((document): [string, PullDecision] => {
      const { stem, own, service } = document;
      const merged = { texts: textsOf(service), replaced: [], isContested: false };
      const take: PullDecision = { kind: "TAKE", merged };
      if (own.size === 0 || (force && service.size > 0)) return [stem, take];
      if (service.size === 0) return [stem, { kind: "LEAVE", reason: "not in the service" }];
      const isSame = [...own].every(([path, { text }]) => {
        const other = service.get(path);
        return other !== undefined && digestOfText(text) === digestOfText(other.text);
      });
      if (isSame) return [stem, { kind: "KEEP" }];
      return [
        stem,
        { kind: "CONFLICT", reason: `not written by pull, and there is no ${rootPath}` },
      ];
    }),
  );
}

function textsOf(files: PulledDocument["service"]): Texts {
  return new Map([...files].map(([path, { text }]) => [path, text]));
}
