import { isDeepStrictEqual } from "node:util";
import { fieldSql, type Kind, Records, type SimplyDescribed, type StoredOf } from "@rowhouse/db";
import { encodeName } from "@rowhouse/wire";
import { z } from "zod";
import { decodeName } from "../documents/document-name.ts";
import { documentsOf } from "../documents/record-documents.ts";
import type { Document } from "../model/document.ts";
import { type Part, type Step, stepOrder, type World } from "../model/part.ts";

type Values = Readonly<Record<string, unknown>>;

/** Returns the part of a simple kind: a document for each record, `<part>/<key>.yaml`. */
export function recordPart(kind: SimplyDescribed): Part<Values> {
  const { part: name, key } = kind.simple;
  const fields = documentsOf<Kind>(kind);
  const records = new Records<Kind>(kind);
  const keyOf = (record: StoredOf<Kind>) => String((record as Values)[key]);
  const pathOf = (of: string) => `${name}/${encodeName(of)}.yaml`;
  const idOf = async ({ database }: World, of: string): Promise<string> => {
    const isNamed = { value: of, sql: (value: string) => `${fieldSql(kind, key)} = ${value}` };
    const { items } = await records.list(database, everything, [isNamed]);
    const [found] = items as readonly Values[];
    return String(found?.id ?? "");
  };
  const stepOf = (path: string, of: string, rest: Pick<Step, "kind" | "detail" | "run">) => ({
    document: path,
    subject: of,
    order: stepOrder.records,
    locate: (pointer: string) => [fields.nameOf(pointer.replace(/^\/data\//, ""))],
    ...rest,
  });
  const write = ({ path, names, value }: Document<Values>, before: Values | undefined): Step[] => {
    const [of = ""] = names;
    if (isDeepStrictEqual(value, before)) return [];
    const given = fields.given(value);
    const run: Step["run"] =
      before === undefined
        ? async ({ database, actor }) => {
            await records.create(database, { [key]: of, ...given }, actor);
          }
        : async (world) => {
            await records.update(world.database, await idOf(world, of), given, world.actor);
          };
    const verb = before === undefined ? "create" : "update";
    const step = stepOf(path, of, { kind: `${kind.name}.${verb}`, detail: value, run });
    return [{ ...step, values: { before, after: value } }];
  };
  const drop = ([path, before]: [string, Values]): Step => {
    const [of = ""] = namesOf(path) ?? [];
    const run: Step["run"] = async (world) =>
      records.remove(world.database, await idOf(world, of), world.actor);
    const step = stepOf(path, of, { kind: `${kind.name}.delete`, detail: null, run });
    return { ...step, values: { before, after: null }, consent: `drop:${kind.name}:${of}` };
  };
  const namesOf = (path: string): readonly string[] | undefined => {
    const [folder, file = "", ...rest] = path.split("/");
    const of = decodeName(/^(.+)\.yaml$/.exec(file)?.[1] ?? "") ?? "";
    return folder === name && rest.length === 0 && of !== "" ? [of] : undefined;
  };
  return {
    name,
    schema: z.strictObject(fields.shape) as z.ZodType<Values>,
    namesOf,
    read: async ({ database }) => {
      const { items } = await records.list(database, everything);
      return new Map(items.map((record) => [pathOf(keyOf(record)), fields.read(record)]));
    },
    write: fields.write,
    compare: async ({ present, wanted }) => [
      ...[...wanted].flatMap(([path, document]) => write(document, present.get(path))),
      ...[...present].filter(([path]) => !wanted.has(path)).map(drop),
    ],
  };
}

const everything = { search: null, cursor: null, limit: 1_000_000 };
