import { readName, wordsOfName } from "@rowhouse/access/written-name";
import type { AppOperations } from "@rowhouse/client";
import type { Received } from "./client.ts";

const ofKey = /[_\s]?id$/i;

/** Reads the name of a column that refers to another row: `owner_id` is "Owner". */
function wordsOfReference(name: string): string {
  const rest = name.replace(/(?:_id|(?<=\p{Ll})I[dD])$/u, "");
  return wordsOfName(rest === "" ? name : rest);
}

/** Reads the path of a field of a reading, whose relations its reader may not know. */
export function wordsOfPath(path: string, dataType: string): string {
  const names = path.includes('"') ? [readName(path)] : path.split(".");
  const mayRefer = ofKey.test(path) && !/^(?:text|character varying|citext)/.test(dataType);
  return names
    .map((name, at) =>
      mayRefer && at === names.length - 1 && name.toLowerCase() !== "id"
        ? wordsOfReference(name)
        : wordsOfName(name),
    )
    .join(" › ");
}

type Answer = Received<AppOperations["GET /navigation"]["answer"]["data"]>;
type Resource = Answer["resources"][number];
type Relation = Resource["relations"][number];

type Part = Resource["title"][number];

/** A part of a title; of a reference it has the columns of the other row that are shown. */
type LabeledPart = Omit<Part, "reference"> & {
  readonly reference?:
    | (NonNullable<Part["reference"]> & { readonly columns: Resource["columns"] })
    | undefined;
};

/** What a person may open, with a label for everything. */
export interface LabeledNavigation extends Omit<Answer, "resources"> {
  readonly resources: (Omit<Resource, "relations" | "title"> & {
    readonly title: LabeledPart[];
    readonly relations: (Relation & { readonly label: string })[];
  })[];
}

/** Returns what a person may open with a label for everything: without one, its name as words. */
export function withLabels(navigation: Answer): LabeledNavigation {
  const byId = new Map(navigation.resources.map((resource) => [resource.id, resource]));
  return { ...navigation, resources: navigation.resources.map((one) => labeled(one, byId)) };
}

function labeled(
  resource: Resource,
  byId: ReadonlyMap<string, Resource>,
): LabeledNavigation["resources"][number] {
  const labels = columnLabels(resource);
  return {
    ...labelOf(resource),
    title: resource.title.map((part) => withColumns(part, resource, byId)),
    columns: resource.columns.map((column) => ({
      ...column,
      label: labels.get(column.name) ?? column.label,
    })),
    relations: resource.relations.map((relation) => ({
      ...relation,
      label: labelOfRelation(relation, resource, labels),
      resource: labelOf(relation.resource),
      junction: relation.junction === null ? null : labelOf(relation.junction),
    })),
  };
}

function withColumns(
  { reference, ...part }: Part,
  { relations }: Resource,
  byId: ReadonlyMap<string, Resource>,
): LabeledPart {
  if (reference === undefined) return part;
  const relation = relations.find(({ name }) => name === reference.relation);
  const target = byId.get(relation?.resource.id ?? "");
  const shown = new Set(reference.title.map(({ field }) => field));
  const columns = target?.columns.filter(({ name }) => shown.has(name)) ?? [];
  return { ...part, reference: { ...reference, columns } };
}

/** The labels of columns. Two that would have one text keep all words of their names: `owner` and `owner_id`. */
function columnLabels({ columns, relations }: Resource): ReadonlyMap<string, string> {
  const referring = new Set(
    relations.flatMap(({ foreignKey, columns: pairs }) =>
      foreignKey === "OWN" && pairs?.length === 1 ? pairs.map(({ from }) => from) : [],
    ),
  );
  const taken = new Map<string, number>();
  const texts = columns.map(({ label, name }) => {
    const text = label ?? (referring.has(name) ? wordsOfReference(name) : wordsOfName(name));
    taken.set(text, (taken.get(text) ?? 0) + 1);
    return text;
  });
  return new Map(
    columns.map(({ label, name }, index) => {
      const text = texts[index] ?? name;
      return [name, label === null && (taken.get(text) ?? 0) > 1 ? wordsOfName(name) : text];
    }),
  );
}

/** A relation has the label of its column or, from the other side, that of the table with the foreign key. */
function labelOfRelation(
  relation: Relation,
  { relations }: Resource,
  labels: ReadonlyMap<string, string>,
): string {
  const { name, foreignKey, columns, resource } = relation;
  const [pair, ...others] = columns ?? [];
  if (foreignKey === "OWN") {
    const label = others.length === 0 && pair !== undefined ? labels.get(pair.from) : undefined;
    return label ?? wordsOfName(name);
  }
  const isShared =
    relations.filter((one) => one.foreignKey !== "OWN" && one.resource.id === resource.id).length >
    1;
  const label = resource.label ?? wordsOfName(resource.name);
  if (!isShared) return label;
  const by = /_by_(.+)$/.exec(name)?.[1];
  return by === undefined ? wordsOfName(name) : `${label} (${wordsOfName(by)})`;
}

function labelOf<Item extends { readonly name: string; readonly label: string | null }>(
  item: Item,
): Item {
  return { ...item, label: item.label ?? wordsOfName(item.name) };
}
