import { isEffective, lostColumns } from "@rowhouse/access";
import type { Catalogue, GrantRecord, Relation } from "@rowhouse/db";

/** The terms of a grant with current column names. */
export interface NamedGrant {
  /** Null for every field. */
  readonly fields: string[] | null;
  readonly rowFilter: unknown;
  readonly check: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
  /** False if a column that its filter, check or presets use was dropped: the grant then allows nothing. */
  readonly effective: boolean;
  /** Columns in its filter, check and presets that were dropped or that their path no longer reaches. */
  readonly lost: LostMention[];
}

export interface LostMention {
  readonly part: "rowFilter" | "check" | "presets";
  /** The name that the grant uses. */
  readonly name: string;
}

const parts: Readonly<Partial<Record<Usage, LostMention["part"]>>> = {
  FILTER: "rowFilter",
  CHECK: "check",
  PRESET: "presets",
};

type Usage = GrantRecord["columns"][number]["usage"];

/**
 * Returns the terms of a stored grant with current column names. The stored terms keep the names of their creation,
 * bound to attribute numbers. A renamed column must appear under its new name: otherwise writing the grant back would
 * bind it to another column.
 */
export function nameGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): NamedGrant {
  const namesOf = (usage: Usage): Map<string, string> => {
    const names = new Map<string, string>();
    for (const column of record.columns) {
      // A path to a column of another relation keeps its text; its number refers to the other relation.
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

/** Renames the fields in the JSON of a filter; it walks combinations and leaves conditions unchanged. */
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
