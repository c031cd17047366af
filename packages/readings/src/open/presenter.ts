import type { TitlePart } from "@rowhouse/access/record-title";
import type { ShownField, VisibleResource } from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import {
  type ColumnPresenter,
  columnColorsSchema,
  columnFormatSchema,
  type TitleSource,
  titleFor,
} from "@rowhouse/permissions";
import { z } from "zod";

/** The label and the address of a resource. */
export const resourceRefSchema = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum(["TABLE", "VIEW"]),
  label: z.string().nullable(),
});

/** A field with its presentation. */
export const fieldSchema = z.object({
  name: z.string().meta({ description: "The path of a related row's field: `driver.name`" }),
  dataType: z.string(),
  scale: z.number().int().optional().meta({
    description: "Digits after the point that each number has, if the type declares them",
  }),
  values: z.array(z.string()).nullable().meta({ description: "Labels of an enum, in order" }),
  label: z.string().nullable(),
  format: columnFormatSchema.nullable(),
  colors: columnColorsSchema.nullable(),
});

/** A field of rows that were read. */
export const readFieldSchema = fieldSchema.extend({
  titles: z.record(z.string(), z.string()).optional().meta({
    description:
      "Of a field that refers to other rows: their titles by the text of its values in these rows, as far as the reader may see them",
  }),
});

/** The lists that are cut off. */
export const moreSchema = z.array(z.string()).meta({
  description: "Paths of the to-many relations of which a list has more rows than it shows",
});

export function resourceRef({
  schema,
  name,
  resource,
}: Relation): z.output<typeof resourceRefSchema> {
  const { id, kind, label } = resource;
  return { id, schema, name, kind, label };
}

export function fieldOf(
  { path, relation, column }: ShownField,
  present: ColumnPresenter,
  titles?: Readonly<Record<string, string>>,
): z.output<typeof readFieldSchema> {
  return {
    name: path,
    dataType: column.type.name,
    ...declaredScale(column),
    values: column.type.labels === null ? null : [...column.type.labels],
    ...present(relation, column),
    ...(titles === undefined ? {} : { titles }),
  };
}

/** The digits that PostgreSQL writes for each number of a column: 3 of `numeric(10,3)`. */
function declaredScale({ type: { declared } }: ShownField["column"]): { readonly scale?: number } {
  const [, precision, scale = "0"] = /^numeric\((\d+)(?:,(\d+))?\)/.exec(declared) ?? [];
  return precision === undefined ? {} : { scale: Number(scale) };
}

/** The visible resource of a relation; undefined if the reader may not know of it. */
export type VisibleOf = (relation: Relation) => VisibleResource | undefined;

/** Returns the title of a resource's records for a reader; it names columns and relations that they may read. */
export function titleOf(
  visible: VisibleResource,
  snapshot: Pick<Snapshot, "presentations">,
  visibleOf: VisibleOf,
): TitlePart[] {
  return titleFor(snapshot, sourceOf(visible, visibleOf));
}

function sourceOf(visible: VisibleResource, visibleOf: VisibleOf): TitleSource {
  const references = visible.relations.flatMap(({ name, foreignKey, columns, target }) => {
    const [pair, ...others] = (foreignKey === "OWN" ? columns : null) ?? [];
    if (pair === undefined || others.length > 0) return [];
    const seen = () => {
      const found = visibleOf(target);
      return found === undefined ? undefined : sourceOf(found, visibleOf);
    };
    return [{ name, column: pair.from, target: seen }];
  });
  const columns = visible.columns.flatMap((item) => (item.readable ? [item.column] : []));
  return { relation: visible.relation, columns, references };
}
