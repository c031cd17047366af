import { isTextual, type Principal } from "@rowhouse/access";
import { type AggregateReading, fieldInSight, type ListReading } from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { exactNumberText } from "@rowhouse/wire";
import { textOfValue } from "../open/read-rows.ts";
import type { Reader } from "../open/reader.ts";
import {
  readReferenceTitles,
  type TitledField,
  type TitledRow,
  titledFields,
} from "../open/reference-titles.ts";
import type { Dashboard } from "../schemas/dashboard-schemas.ts";
import type { Parameter } from "../schemas/parameter-schemas.ts";
import { fieldOfParameter } from "./read-parameters.ts";
import { Readings, type Row } from "./readings.ts";

/** A value that a parameter may have. */
export interface Choice {
  readonly value: unknown;
  readonly label: string;
}

/** Maximum number of choices of a response. */
export const choicesMax = 100;

/** Values that are searched by their text in this process, because their type has no patterns. */
const searchedMax = 1000;

/** Lists the values of a parameter that the reader may read, or the persons. */
export async function listChoices(
  parameter: ReturnType<typeof requireParameter>,
  search: string,
  reader: Reader,
): Promise<Choice[]> {
  return parameter.kind === "VALUE"
    ? valuesOf(parameter, search, reader)
    : personsOf(parameter, search, reader);
}

/** @throws AppError NOT_FOUND for a parameter without choices, and for one that is hidden from the reader */
export function requireParameter(
  { parameters }: Pick<Dashboard, "parameters">,
  name: string,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): Exclude<Parameter, { readonly kind: "PERIOD" }> {
  const parameter = parameters.find((item) => item.name === name);
  if (parameter === undefined || parameter.kind === "PERIOD") throw createError("NOT_FOUND");
  const isHidden =
    parameter.kind === "VALUE" &&
    fieldOfParameter(parameter, { snapshot, principal }) === undefined;
  if (isHidden) throw createError("NOT_FOUND");
  return parameter;
}

async function valuesOf(
  parameter: Extract<Parameter, { kind: "VALUE" }>,
  search: string,
  reader: Reader,
): Promise<Choice[]> {
  const { resourceId, field } = parameter;
  const relation = reader.snapshot.catalogue.relationByResource(resourceId);
  const shown = fieldOfParameter(parameter, reader);
  if (relation === undefined || shown === undefined) throw createError("NOT_FOUND");
  const [titled] = titledFields([shown], reader);
  if (titled !== undefined) return titledValues(titled, relation, field, search, reader);
  const { type } = shown.column;
  const isPattern = isTextual(type) && !type.folds && search !== "";
  const values = await distinctValues(relation, field, reader, {
    filter: isPattern ? { _icontains: search } : { _nnull: true },
    limit: search === "" || isPattern ? choicesMax : searchedMax,
  });
  const wanted = search.toLowerCase();
  return values
    .map((value) => ({ value, label: textOf(value) }))
    .filter(({ label }) => isPattern || label.toLowerCase().includes(wanted))
    .slice(0, choicesMax);
}

/** The values of a foreign key with the titles of their rows; a search finds both. */
async function titledValues(
  titled: TitledField,
  relation: Relation,
  field: string,
  search: string,
  reader: Reader,
): Promise<Choice[]> {
  const keysOf = (rows: readonly TitledRow[]) => rows.flatMap(({ key }) => textOfValue(key) ?? []);
  const found = search === "" ? [] : keysOf(await titled.reading.search(search));
  const wanted = search.toLowerCase();
  const [all, named] = await Promise.all([
    distinctValues(relation, field, reader, {
      filter: { _nnull: true },
      limit: search === "" ? choicesMax : searchedMax,
    }),
    found.length === 0
      ? []
      : distinctValues(relation, field, reader, { filter: { _in: found }, limit: choicesMax }),
  ]);
  const own = all.filter((value) => textOf(value).toLowerCase().includes(wanted));
  const values = new Map([...named, ...own].map((value) => [textOf(value), value]));
  const shown = [...values.values()].slice(0, choicesMax);
  const titles = await readReferenceTitles([titled], () => shown);
  const labels = titles.get(titled.field.path) ?? {};
  return shown.map((value) => ({ value, label: labels[textOf(value)] ?? textOf(value) }));
}

async function distinctValues(
  relation: Relation,
  field: string,
  reader: Reader,
  { filter, limit }: { readonly filter: Row; readonly limit: number },
): Promise<unknown[]> {
  const reading: AggregateReading = {
    kind: "AGGREGATE",
    aggregate: ["count(*)"],
    groupBy: [field],
    ...{ where: null, having: null, orderBy: [], limit },
  };
  const { rows, terms } = await new Readings(reader)
    .groups(reading, [Object.fromEntries([[field, filter]])], relation)
    .catch(hide);
  const [group] = terms.groups;
  // A value that is hidden in its row is null.
  return group === undefined
    ? []
    : rows.map((row) => row[group.name]).filter((value) => value !== null);
}

/** The reader, and others if the reader may read them in `system.users`. */
async function personsOf(
  { resourceId, field }: Extract<Parameter, { kind: "PERSON" }>,
  search: string,
  reader: Reader,
): Promise<Choice[]> {
  const { database, principal } = reader;
  const [own] = await database.query<{ name: string; email: string }>(
    "select name, email from system.users where id = $1::text::uuid",
    [principal.userId],
  );
  const wanted = search.toLowerCase();
  const self = own === undefined ? [] : [{ value: principal.userId, label: labelOf(own) }];
  const others = await otherPersons(resourceId, field, search, reader);
  return [
    ...self.filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...others.filter(({ value }) => value !== principal.userId),
  ].slice(0, choicesMax);
}

async function otherPersons(
  resourceId: string | null,
  field: string | null,
  search: string,
  reader: Reader,
): Promise<Choice[]> {
  const { snapshot, principal } = reader;
  const users = snapshot.catalogue.relationByName("system", "users");
  if (users === undefined) return [];
  const isReadable = (name: string) => fieldInSight(users, name, snapshot, principal) !== undefined;
  if (!isReadable("id") || !isReadable("name")) return [];
  const fields = isReadable("email") ? ["id", "name", "email"] : ["id", "name"];
  const among = await mentioned(resourceId, field, reader);
  if (among !== undefined && among.length === 0) return [];
  const pattern = { _icontains: search };
  const narrowing = [
    ...(among === undefined ? [] : [{ id: { _in: among } }]),
    ...(search === ""
      ? []
      : [{ _or: fields.slice(1).map((name) => Object.fromEntries([[name, pattern]])) }]),
  ];
  const page = { where: null, orderBy: ["name", "id"], limit: choicesMax };
  const reading: ListReading = { kind: "LIST", fields, ...page };
  try {
    const { rows } = await new Readings(reader).rows(reading, narrowing, users);
    return (JSON.parse(rows) as readonly Row[]).map((row) => ({
      value: row.id,
      label: labelOf({ name: String(row.name ?? ""), email: String(row.email ?? "") }),
    }));
  } catch (error) {
    if (error instanceof AppError && error.code === "ACTION_DENIED") return [];
    throw error;
  }
}

/** The persons whom a field names in the rows of the reader; undefined without a field, and none for a hidden one. */
async function mentioned(
  resourceId: string | null,
  field: string | null,
  reader: Reader,
): Promise<unknown[] | undefined> {
  if (resourceId === null || field === null) return undefined;
  const relation = reader.snapshot.catalogue.relationByResource(resourceId);
  if (relation === undefined || fieldOfParameter({ resourceId, field }, reader) === undefined) {
    return [];
  }
  return distinctValues(relation, field, reader, { filter: { _nnull: true }, limit: searchedMax });
}

function labelOf({ name, email }: { readonly name: string; readonly email: string }): string {
  return name === "" ? email : name;
}

function textOf(value: unknown): string {
  return exactNumberText(value) ?? String(value);
}

/** A parameter whose values are denied does not exist for the reader. */
function hide(error: unknown): never {
  if (error instanceof AppError && error.code === "ACTION_DENIED") {
    throw createError("NOT_FOUND", { cause: error });
  }
  throw error;
}
