import { quoteIdentifier, quoteLiteral, serverVersionOf } from "@rowhouse/db";
import { parseColumnExpression } from "../column-expression.ts";
import { findDependents } from "../dependents.ts";
import { parseColumnType } from "../type-name.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft, DraftColumn } from "./draft.ts";
import type { RowCheck } from "./plan.ts";
import { addCommentStep, requireColumn } from "./plan-columns.ts";
import {
  changesMeaning,
  isFormerExpression,
  planMeaningGrants,
  restsOn,
} from "./plan-dependents.ts";
import { requireFittingRelations } from "./relation-types.ts";
import { planStoredUses } from "./stored-uses.ts";
import { type NormalColumn, trialTable } from "./trial.ts";

type ChangeColumn = TableChangeOf<"changeColumn">;

/**
 * Changes the type, default, expression, nullability, identity and comment of a column, as far as they are given and
 * differ from the present ones.
 */
export async function planChangeColumn(
  draft: AlterationDraft,
  change: ChangeColumn,
  path: string,
): Promise<void> {
  const column = draft.findColumn(change.column, `${path}/column`);
  if (change.using !== undefined && change.dataType === undefined) {
    draft.refuse(`${path}/using`, "This field requires a dataType", "BODY_INVALID");
  }
  if (column === undefined) return;
  const stepsBefore = draft.steps.length;
  await planGenerated(draft, column, change, path);
  await planTypeAndDefault(draft, column, change, path);
  planNullability(draft, column, change, path);
  planIdentity(draft, column, change, path);
  if (change.comment !== undefined && change.comment !== column.comment) {
    column.comment = change.comment;
    addCommentStep(draft, column.name, change.comment, `${path}/comment`);
  }
  if (draft.steps.length > stepsBefore) draft.changedFields.add(`columns.${change.column}`);
}

async function planTypeAndDefault(
  draft: AlterationDraft,
  column: DraftColumn,
  change: ChangeColumn,
  path: string,
): Promise<void> {
  const { dataType: newType, default: newDefault, using: conversion } = change;
  if (newType === undefined && newDefault === undefined && conversion === undefined) return;
  const type =
    change.dataType === undefined
      ? null
      : await draft.guard(parseColumnType(change.dataType, `${path}/dataType`));
  const given =
    change.default == null
      ? null
      : await draft.guard(
          parseColumnExpression(change.default, "default", new Set(), `${path}/default`),
        );
  const using =
    change.using === undefined
      ? null
      : await draft.guard(
          parseColumnExpression(
            change.using,
            "using",
            new Set(draft.columnNames()),
            `${path}/using`,
          ),
        );
  if (type === undefined || given === undefined || using === undefined) return;
  const dataType = type?.sql ?? column.dataType;
  const wanted = await requireColumn(draft, dataType, given?.sql ?? null, path);
  if (wanted === undefined) return;
  const changesType = wanted.dataType !== column.dataType || using !== null;
  const changesDefault = change.default !== undefined && wanted.default !== column.default;
  if (changesType && column.attributeNumber !== null) {
    const part = { attributeNumber: column.attributeNumber, name: column.name };
    const isReinterpreted = await changesMeaning(draft, column.attributeNumber, wanted.meaning);
    const effect = isReinterpreted ? "MEANING" : "CHANGE";
    await planStoredUses(draft, { kind: "COLUMN", ...part }, effect, path);
  }
  const name = quoteIdentifier(column.name);
  const dropDefault = () =>
    draft.addStep({
      compile: (table) => `alter table ${table} alter column ${name} drop default`,
      path: `${path}/default`,
      refusal: "This column's default cannot be dropped",
    });
  // The old default may have no conversion to the new type.
  if (changesDefault && column.default !== null && (change.default === null || changesType)) {
    dropDefault();
  }
  if (changesType) {
    await planType(draft, column, { ...change, dataType, using: using?.sql ?? null }, wanted, path);
  }
  if (changesDefault) {
    column.default = wanted.default;
    if (given !== null) {
      draft.addStep({
        compile: (table) => `alter table ${table} alter column ${name} set default (${given.sql})`,
        path: `${path}/default`,
        refusal: "This column cannot have a default",
      });
    }
  }
}

async function planType(
  draft: AlterationDraft,
  column: DraftColumn,
  change: {
    readonly dataType: string;
    readonly using: string | null;
    readonly confirm?: string | undefined;
  },
  wanted: Pick<NormalColumn, "dataType" | "meaning">,
  path: string,
): Promise<void> {
  const { dataType, using } = change;
  const name = quoteIdentifier(column.name);
  let losesGrants = false;
  if (column.attributeNumber !== null) {
    const { oid } = draft.original;
    const root = { kind: "COLUMN", oid, attributeNumber: column.attributeNumber } as const;
    const found = (await findDependents(draft.transaction, root, draft.gone)).filter(
      // The type change itself recreates foreign keys.
      (dependent) =>
        dependent.object !== "table constraint" && !isFormerExpression(draft, dependent),
    );
    if (found.length > 0) {
      draft.faults.push(restsOn(found, `${path}/dataType`, "drop it first"));
    }
    losesGrants = await planMeaningGrants(draft, column.attributeNumber, wanted.meaning, path);
  }
  const losesValues = using !== null || !isLossless(column.dataType, wanted.dataType);
  if (losesValues || losesGrants) draft.requireConfirmation(path, column.name, change.confirm);
  if (losesValues) {
    const note = `values that ${wanted.dataType} cannot represent exactly`;
    draft.losses.push({ path, object: "column values", name: column.name, note });
  }
  await requireFittingRelations(draft, column, wanted.dataType, `${path}/dataType`);
  draft.addStep({
    compile: (table) =>
      `alter table ${table} alter column ${name} type ${dataType}${using === null ? "" : ` using (${using})`}`,
    path: `${path}/${using === null ? "dataType" : "using"}`,
    refusal:
      using === null
        ? "The column, its default or a dependent object cannot convert to this type implicitly; give a conversion in `using`"
        : "This conversion does not return the type, or the column cannot have the type",
    counts: [countInconvertible(draft, dataType, using ?? name, `${path}/dataType`)],
  });
  draft.mapRows(column.name, `(${using ?? name})::${dataType}`);
  column.dataType = wanted.dataType;
}

/**
 * Rows whose conversion fails under assignment rules. A temporary function tries each row; the rollback of the
 * transaction removes it.
 */
function countInconvertible(
  draft: AlterationDraft,
  dataType: string,
  expression: string,
  path: string,
): RowCheck {
  const columns = draft.columnNames().map(quoteIdentifier).join(", ");
  const count = draft.countRows(
    path,
    "VALUE_INVALID",
    "Rows have values that cannot be converted",
    `not pg_temp.rowhouse_converts(row(${columns})::${trialTable})`,
  );
  const body = `
#variable_conflict use_column
declare
  converted ${dataType};
begin
  select ${expression} into converted from (select ($1).*) as t;
  return true;
exception when others then
  return false;
end`;
  const define = `create or replace function pg_temp.rowhouse_converts(${trialTable}) returns boolean language plpgsql as ${quoteLiteral(body)}`;
  return { ...count, before: [define] };
}

/** The first version of PostgreSQL that can change the expression of a generated column. */
export const expressionsSince = 17;

/** Changes the expression of a generated column, or stores its values from now on. */
async function planGenerated(
  draft: AlterationDraft,
  column: DraftColumn,
  { generated }: ChangeColumn,
  path: string,
): Promise<void> {
  if (generated === undefined || generated === column.generatedAs) return;
  const name = quoteIdentifier(column.name);
  const at = `${path}/generated`;
  const step = { path: at, refusal: "The column cannot be generated by this expression" };
  if (generated === null) {
    column.generatedAs = null;
    draft.addStep({
      ...step,
      compile: (table) => `alter table ${table} alter column ${name} drop expression`,
      refusal: "This column keeps its expression",
    });
    return;
  }
  const names = new Set(draft.columnNames());
  const parsed = await draft.guard(parseColumnExpression(generated, "generated", names, at));
  if (parsed === undefined) return;
  const { major } = await serverVersionOf(draft.transaction);
  if (column.generatedAs === null || major < expressionsSince) {
    const what =
      column.generatedAs === null
        ? "A column that stores its values cannot become a generated one"
        : `PostgreSQL ${major} cannot change the expression of a column`;
    draft.refuse(at, `${what}; drop it and add it again`);
    return;
  }
  column.generatedAs = parsed.sql;
  draft.addStep({
    ...step,
    compile: (table) =>
      `alter table ${table} alter column ${name} set expression as (${parsed.sql})`,
    code: "EXPRESSION_INVALID",
  });
  draft.mapRows(column.name, `(${parsed.sql})::${column.dataType}`);
  if (column.attributeNumber === null) return;
  const part = {
    kind: "COLUMN",
    attributeNumber: column.attributeNumber,
    name: column.name,
  } as const;
  await planStoredUses(draft, part, "CHANGE", path);
}

function planNullability(
  draft: AlterationDraft,
  column: DraftColumn,
  { nullable }: ChangeColumn,
  path: string,
): void {
  if (nullable === undefined || nullable === column.nullable) return;
  const name = quoteIdentifier(column.name);
  const at = `${path}/nullable`;
  column.nullable = nullable;
  if (nullable) {
    draft.addStep({
      compile: (table) => `alter table ${table} alter column ${name} drop not null`,
      path: at,
      refusal: "A primary key or identity column cannot be nullable",
    });
    return;
  }
  draft.addStep({
    compile: (table) => `alter table ${table} alter column ${name} set not null`,
    path: at,
    work: "SCAN",
    refusal: "The database does not accept this",
    counts: [
      draft.countRows(at, "REQUIRED_FIELD", "Rows have no value in this column", `${name} is null`),
    ],
  });
}

function planIdentity(
  draft: AlterationDraft,
  column: DraftColumn,
  { identity }: ChangeColumn,
  path: string,
): void {
  if (identity === undefined || identity === column.identity) return;
  const name = quoteIdentifier(column.name);
  const at = `${path}/identity`;
  const kind = identity === "ALWAYS" ? "always" : "by default";
  if (identity === null) {
    draft.addStep({
      compile: (table) => `alter table ${table} alter column ${name} drop identity`,
      path: at,
      refusal: "The database does not accept this",
    });
  } else if (column.identity !== null) {
    draft.addStep({
      compile: (table) => `alter table ${table} alter column ${name} set generated ${kind}`,
      path: at,
      refusal: "The database does not accept this",
    });
  } else {
    draft.addStep({
      compile: (table) =>
        `alter table ${table} alter column ${name} add generated ${kind} as identity`,
      path: at,
      refusal:
        "An identity column must be a smallint, integer or bigint, without a default and not nullable",
    });
    draft.addStep({
      compile: (table) =>
        `select pg_catalog.setval(pg_catalog.pg_get_serial_sequence(${quoteLiteral(table)}, ${quoteLiteral(column.name)}), greatest(pg_catalog.max(${name})::bigint, 0) + 1, false) from ${table}`,
      path: at,
      work: "SCAN",
      refusal: null,
    });
  }
  column.identity = identity;
}

/** Types in ascending order of range; each type can represent every value of the types before it. */
const ladders: readonly (readonly string[])[] = [
  ["smallint", "integer", "bigint", "numeric"],
  ["real", "double precision"],
  ["json", "text"],
];
const limitedText = /^character varying\((\d+)\)$/;
const limitedNumber = /^numeric\((\d+),(-?\d+)\)$/;

/**
 * Whether every value of a type stays the same in another type. Types are in the form of `format_type`. Conversions
 * outside these lists count as lossy.
 */
function isLossless(from: string, to: string): boolean {
  if (from === to) return true;
  // Trailing blanks of a character(n) are not significant.
  if (to === "text") return !from.startsWith("character(");
  if (
    ladders.some((ladder) => ladder.includes(from) && ladder.indexOf(to) > ladder.indexOf(from))
  ) {
    return true;
  }
  const text = [limitedText.exec(from)?.[1], limitedText.exec(to)?.[1]];
  if (to === "character varying") return text[0] !== undefined || from === "text";
  if (text[0] !== undefined && text[1] !== undefined) return Number(text[0]) <= Number(text[1]);
  const [, precision, scale] = limitedNumber.exec(from) ?? [];
  if (precision === undefined) return false;
  if (to === "numeric") return true;
  const [, toPrecision, toScale] = limitedNumber.exec(to) ?? [];
  if (toPrecision === undefined) return false;
  const [digits, toDigits] = [
    Number(precision) - Number(scale),
    Number(toPrecision) - Number(toScale),
  ];
  return Number(scale) <= Number(toScale) && digits <= toDigits;
}
