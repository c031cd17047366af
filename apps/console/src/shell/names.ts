import { readName } from "@rowhouse/access/written-name";
import type { AppOperations } from "@rowhouse/client";
import type { Received } from "./client.ts";

/** Words that are abbreviations. */
const abbreviations = new Set(["api", "id", "ip", "url", "uuid"]);

/** Reads a name of the database as words: `ship_region` and `ShipRegion` are "Ship region". */
export function wordsOfName(name: string): string {
  const separated = isUpper(name)
    ? name.toLowerCase()
    : name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ");
  const words = separated.split(/[\s_]+/).filter((word) => word !== "");
  if (words.length === 0) return name;
  return words.map((word, index) => wordText(word, index === 0)).join(" ");
}

function isUpper(name: string): boolean {
  return name === name.toUpperCase();
}

function wordText(word: string, isFirst: boolean): string {
  const lower = word.toLowerCase();
  if (abbreviations.has(lower)) return lower.toUpperCase();
  // An abbreviation within a name stays as it is written.
  const text = word.length > 1 && isUpper(word) ? word : lower;
  return isFirst ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}

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

/** What a person may open, with a label for everything. */
export interface LabeledNavigation extends Omit<Answer, "resources"> {
  readonly resources: (Omit<Resource, "relations"> & {
    readonly relations: (Relation & { readonly label: string })[];
  })[];
}

/** Returns what a person may open with a label for everything: without one, its name as words. */
export function withLabels(navigation: Answer): LabeledNavigation {
  return { ...navigation, resources: navigation.resources.map(labeled) };
}

function labeled(resource: Resource): LabeledNavigation["resources"][number] {
  const labels = columnLabels(resource);
  return {
    ...labelOf(resource),
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
