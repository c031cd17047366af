import { isOfUserCode, type PostgresFailure, readPostgresFailure, toAppError } from "@rowhouse/db";
import { errorCodes, type Fault } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { VisibleEdge } from "../authorize/visible.ts";

/** The place of a violation in a row, as far as its caller may know it. */
export interface Place {
  /** The only field of the constraint, or the only one that the caller sent. */
  readonly column: string | undefined;
  /** All fields of the constraint; undefined if one of them is hidden. */
  readonly fields: readonly string[] | undefined;
  /** Whether rows that refer to the written one are in the way, and not values of its own. */
  readonly isReferenced: boolean;
  /** Whether the caller sent a value for every field. */
  readonly isSent: boolean;
  /** Whether the caller may know any field of it. */
  readonly isKnown: boolean;
}

type Sentence = Pick<Fault, "message"> & { readonly details?: NonNullable<Fault["details"]> };

/** Returns how many rows of a relation of the written row the caller may see; undefined if that is unknown. */
export type CountRows = (relation: string) => Promise<number | undefined>;

/** Says what a constraint requires, as far as the caller may know it; undefined for the sentence of the code. */
export async function sentenceOf(
  error: unknown,
  plan: AuthorizedPlan,
  place: Place,
  countRows: CountRows,
): Promise<Sentence | undefined> {
  const failure = readPostgresFailure(error);
  const { code, faults } = toAppError(error, plan.relation);
  if (failure === undefined) return undefined;
  if (code === "CHECK_VIOLATION") {
    const { fields = [] } = place;
    const isOwnMessage = faults[0].message !== errorCodes[code].title;
    if (fields.length === 0 || isOwnMessage) return undefined;
    return { message: `The check of ${listed(fields)} failed` };
  }
  if (code !== "FOREIGN_KEY_VIOLATION" || isOfUserCode(failure)) return undefined;
  return place.isReferenced
    ? inUse(failure, plan, countRows)
    : place.isKnown
      ? missing(failure, plan, place)
      : undefined;
}

function listed(names: readonly string[]): string {
  const [last = "", ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

/** The label of a table that the caller may read, or its name. */
function tableOf({ target }: VisibleEdge) {
  const { name, schema, resource } = target.relation;
  const label = resource.label ?? name;
  return { label, details: { schema, table: name, label } };
}

/** Characters of a key that a sentence shows. */
const keyMax = 100;

function missing({ detail }: PostgresFailure, plan: AuthorizedPlan, place: Place): Sentence {
  const names = [...(place.fields ?? [])].sort().join();
  const edge = plan.read.edges().find(({ edge: { foreignKey, ...own } }) => {
    if (foreignKey !== "OWN" || !("columns" in own)) return false;
    return (
      own.columns
        .map(([name]) => name)
        .sort()
        .join() === names
    );
  });
  const details = { reason: "MISSING" };
  if (edge === undefined) return { message: "The referenced row does not exist", details };
  const table = tableOf(edge);
  // Values that the caller did not send may be secret.
  const key = place.isSent ? /\)=\((.*)\)[^)]*$/s.exec(detail ?? "")?.[1] : undefined;
  if (key === undefined || key.length > keyMax) {
    const message = `The referenced row of ${table.label} does not exist`;
    return { message, details: { ...details, ...table.details } };
  }
  const shown = place.fields?.length === 1 ? key : `(${key})`;
  const message = `${table.label} ${shown} does not exist`;
  return { message, details: { ...details, ...table.details, key } };
}

async function inUse(
  { schema, table: name }: PostgresFailure,
  plan: AuthorizedPlan,
  countRows: CountRows,
): Promise<Sentence> {
  const details = { reason: "IN_USE" };
  const edge = plan.read
    .edges()
    .find(
      ({ edge: { foreignKey }, target: { relation } }) =>
        foreignKey === "TARGET" && relation.schema === schema && relation.name === name,
    );
  const message = "Other rows refer to this row";
  if (edge === undefined) return { message, details };
  const count = await countRows(edge.edge.name).catch(() => undefined);
  // Rows that the caller may not see are not to be found by a deletion.
  if (count === 0 || (count === undefined && edge.target.rows !== null)) {
    return { message, details };
  }
  const table = tableOf(edge);
  if (count === undefined) {
    return {
      message: `Rows of ${table.label} refer to this row`,
      details: { ...details, ...table.details },
    };
  }
  const rows = count === 1 ? "1 row" : `${count} rows`;
  const verb = count === 1 ? "refers" : "refer";
  return {
    message: `${rows} of ${table.label} ${verb} to this row`,
    details: { ...details, ...table.details, count },
  };
}
