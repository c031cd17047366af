import { isDeepStrictEqual } from "node:util";
import {
  builtInLanguages,
  builtInTemplate,
  createTemplate,
  deleteTemplate,
  isMailKey,
  listTemplates,
  mailKinds,
  updateTemplate,
} from "@rowhouse/accounts";
import { type Database, documentTemplateKind, mailTemplateKind } from "@rowhouse/db";
import type { Fault } from "@rowhouse/errors";
import { canonicalLanguage } from "@rowhouse/settings";
import { documentTemplateRecords } from "@rowhouse/templates";
import { keepDigits } from "@rowhouse/wire";
import { z } from "zod";
import { throwAll } from "../documents/document-faults.ts";
import { documentsOf } from "../documents/record-documents.ts";
import type { Document } from "../model/document.ts";
import { type Part, type Step, stepOrder, type World } from "../model/part.ts";

const mailFields = documentsOf(mailTemplateKind);
const documentFields = documentsOf(documentTemplateKind);

/** `text` and `html` come from the files beside it, as `source` does. */
const mail = z.strictObject({ kind: z.literal("MAIL"), ...mailFields.shape });
const documentTemplate = z.strictObject({
  kind: z.literal("DOCUMENT"),
  ...documentFields.shape,
  sample: z
    .record(z.string(), z.unknown())
    .default({})
    .transform((sample) => keepDigits(sample) as Readonly<Record<string, unknown>>),
});
/** A mail that the service ships in this language, and that was deleted. */
const removed = z.strictObject({ kind: z.literal("REMOVED") });

const schema = z.discriminatedUnion("kind", [mail, documentTemplate, removed]);

type TemplateDocument = z.output<typeof schema>;
/** A template that exists. */
type Template = Exclude<TemplateDocument, { kind: "REMOVED" }>;

/** Templates of mails and of documents. A mail as the service ships it has no document. */
export const templatesPart: Part<TemplateDocument> = {
  name: "templates",
  schema: schema as z.ZodType<TemplateDocument>,
  bodies: [
    { extension: ".text.liquid", field: "text" },
    { extension: ".html.liquid", field: "html" },
    { extension: ".liquid", field: "source" },
  ],
  // A language begins with two or three letters and a dash or the end, so `text` and `html` are none.
  namesOf: (path) =>
    /^templates\/([a-z0-9]+(?:[._-][a-z0-9]+)*)\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.yaml$/
      .exec(path)
      ?.slice(1),
  read: async ({ database }) => {
    const stored = await readTemplates(database);
    const found = [...stored].filter(
      ([path, template]) => !isDeepStrictEqual(template, builtInOf(path)),
    );
    const missing = builtInPaths.filter((path) => !stored.has(path));
    return new Map<string, TemplateDocument>([
      ...found,
      ...missing.map((path): [string, TemplateDocument] => [path, { kind: "REMOVED" }]),
    ]);
  },
  write: (document) => {
    if (document.kind === "REMOVED") return document;
    if (document.kind === "MAIL") return { kind: document.kind, subject: document.subject };
    // A file beside the document has the source.
    const { source: _, ...fields }: { readonly source?: unknown } = documentFields.write(document);
    return { kind: document.kind, ...fields };
  },
  compare: async ({ present, wanted }) => {
    throwAll([...wanted.values()].flatMap(faultsOf));
    return [...new Set([...present.keys(), ...wanted.keys()])].flatMap((path) => {
      const before = templateOf(path, present.get(path));
      const after = templateOf(path, wanted.get(path)?.value);
      return isDeepStrictEqual(before, after)
        ? []
        : [stepOf(path, { before, after }, !wanted.has(path))];
    });
  },
};

function pathOf(key: string, language: string): string {
  return `templates/${key}.${language}.yaml`;
}

const builtInPaths: readonly string[] = Object.keys(mailKinds).flatMap((key) =>
  builtInLanguages.map((language) => pathOf(key, language)),
);

/** Returns the mail that the service ships; undefined if it ships none. */
function builtInOf(path: string): Template | undefined {
  const [key = "", language = ""] = templatesPart.namesOf(path) ?? [];
  const texts = isMailKey(key) ? builtInTemplate(key, language) : null;
  return texts === null ? undefined : { kind: "MAIL", ...texts };
}

/** Returns the template of a document; without a document, the one that the service ships. */
function templateOf(path: string, document: TemplateDocument | undefined): Template | undefined {
  const template = document ?? builtInOf(path);
  return template?.kind === "REMOVED" ? undefined : template;
}

const everything = { search: null, cursor: null, limit: 1_000_000, key: null, language: null };

async function readTemplates(database: Database): Promise<ReadonlyMap<string, Template>> {
  const { items: mails } = await listTemplates(database, everything);
  const { items: documents } = await documentTemplateRecords.list(database, everything);
  return new Map<string, Template>([
    ...mails.map((template): [string, Template] => [
      pathOf(template.key, template.language),
      { kind: "MAIL", ...mailFields.read(template) },
    ]),
    ...documents.map((template): [string, Template] => [
      pathOf(template.key, template.language),
      { kind: "DOCUMENT", ...documentFields.read(template) },
    ]),
  ]);
}

function faultsOf(document: Document<TemplateDocument>): Fault[] {
  const { path, names, value } = document;
  const [key = "", language = ""] = names;
  const refuse = (message: string) => [document.faultAt(["kind"], message)];
  if (canonicalLanguage(language) !== language) {
    return refuse(`${language} is no language tag, such as de or pt-BR`);
  }
  if (value.kind === "DOCUMENT") {
    return key.startsWith("auth.") || isMailKey(key)
      ? refuse(`${key} is the key of a mail, not of a document`)
      : [];
  }
  if (!isMailKey(key)) {
    return refuse(`There is no mail ${key}; the mails are ${Object.keys(mailKinds).join(", ")}`);
  }
  return value.kind === "REMOVED" && builtInOf(path) === undefined
    ? refuse("Only a mail that the service ships can be removed; delete this file")
    : [];
}

interface TemplateChange {
  readonly before: Template | undefined;
  readonly after: Template | undefined;
}

/** @param isLost whether a template is lost because it has no document */
function stepOf(path: string, { before, after }: TemplateChange, isLost: boolean): Step {
  const [key = "", language = ""] = templatesPart.namesOf(path) ?? [];
  const kind = before === undefined ? "create" : after === undefined ? "delete" : "update";
  return {
    kind: `template.${kind}`,
    document: path,
    subject: `${key} (${language})`,
    order: stepOrder.templates,
    detail: after ?? null,
    values: { before, after },
    consent: isLost && before !== undefined ? `drop:template:${key}.${language}` : undefined,
    locate: (pointer) => pointer.split("/").slice(2),
    run: (world) => change(world, { key, language }, { before, after }),
  };
}

async function change(
  { database, actor }: World,
  { key, language }: { readonly key: string; readonly language: string },
  { before, after }: TemplateChange,
): Promise<void> {
  if (after === undefined) {
    const id = await idOf(database, key, language);
    if (before?.kind === "DOCUMENT") await documentTemplateRecords.remove(database, id, actor);
    else await deleteTemplate(database, id, actor);
  } else if (after.kind === "DOCUMENT") {
    const { kind: _, ...parts } = after;
    if (before === undefined) {
      await documentTemplateRecords.create(database, { key, language, ...parts }, actor);
    } else {
      const id = await idOf(database, key, language);
      await documentTemplateRecords.update(database, id, parts, actor);
    }
  } else if (isMailKey(key)) {
    const { kind: _, ...parts } = after;
    if (before === undefined) await createTemplate(database, { key, language, ...parts }, actor);
    else {
      const id = await idOf(database, key, language);
      await updateTemplate(database, id, parts, undefined, actor);
    }
  }
}

async function idOf(database: Database, key: string, language: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    "select id from system.templates where key = $1::text and language = $2::text",
    [key, language],
  );
  return row?.id ?? "";
}
