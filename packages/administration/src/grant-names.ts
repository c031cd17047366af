import { isEffective, lostColumns } from "@rowhouse/access";
import type { Catalogue, GrantRecord, Relation } from "@rowhouse/db";

/** A grant in today's column names. */
export interface NamedGrant {
  /** Null for every field. */
  readonly fields: string[] | null;
  readonly rowFilter: unknown;
  readonly check: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
  /** False where a column that its filter, check or presets rest on is gone: the grant allows nothing then. */
  readonly effective: boolean;
  /** What its filter, check and presets mention and is gone, or is not any more where its path leads. */
  readonly lost: LostMention[];
}

export interface LostMention {
  readonly part: "rowFilter" | "check" | "presets";
  /** As the grant mentions it. */
  readonly name: string;
}

const parts: Readonly<Partial<Record<Usage, LostMention["part"]>>> = {
  FILTER: "rowFilter",
  CHECK: "check",
  PRESET: "presets",
};

type Usage = GrantRecord["columns"][number]["usage"];

/**
 * A stored grant as its author would write it today. What is stored keeps the names of its day, bound to attribute
 * numbers; a renamed column must show by its new name, or writing the grant back would bind it to another column.
 */
export function nameGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): NamedGrant {
  const namesOf = (usage: Usage): Map<string, string> => {
    const names = new Map<string, string>();
    for (const column of record.columns) {
      // A path to another relation's column keeps its words; its number is that of the other relation.
      if (column.usage !== usage || column.pathResourceId !== null) continue;
      const now = relation.columnByNumber(column.attributeNumber);
      if (now !== undefined) names.set(column.mention, now.name);
    }
    return names;
  };
  const presetNames = namesOf("PRESET");
  const filterNames = namesOf("FILTER");
  const checkNames = namesOf("CHECK");
  return {
    fields: record.allFields ? null : [...namesOf("FIELD").values()],
    rowFilter: renameFilter(record.rowFilter, filterNames),
    check: renameFilter(record.rowCheck, checkNames),
    presets: Object.fromEntries(
      Object.entries(record.presets).map(([name, value]) => [presetNames.get(name) ?? name, value]),
    ),
    effective: isEffective(record, relation, catalogue),
    lost: lostColumns(record, relation, catalogue).flatMap(({ usage, mention }) => {
      const part = parts[usage];
      return part === undefined ? [] : [{ part, name: mention }];
    }),
  };
}

/** Renames the fields of a filter's JSON; combinations are walked, conditions left as they are. */
function renameFilter(filter: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(filter)) return filter.map((item) => renameFilter(item, names));
  if (typeof filter !== "object" || filter === null) return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]: [string, unknown]) =>
      key === "_and" || key === "_or" || key === "_not"
        ? [key, renameFilter(value, names)]
        : [names.get(key) ?? key, value],
    ),
  );
}
