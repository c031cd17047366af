import type { Catalogue, Column, GrantColumnRecord, GrantRecord, Relation } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  conditionsOf,
  type Filter,
  mapFields,
  type ParsedFilter,
  relationsOf,
  type Variable,
} from "../filter/language/filter.ts";
import { parseScalar, parseVariable } from "../filter/language/scalar.ts";
import { plainPath } from "../filter/language/written-name.ts";
import { bindSlot } from "../filter/sql/bind-slot.ts";
import { isPossibleValue } from "../filter/sql/column-value.ts";
import { checkCondition } from "./check-condition.ts";
import {
  changeOfVariable,
  type MentionedColumn,
  parseStoredFilter,
  readFilterMeaning,
  renameLabels,
} from "./filter-meaning.ts";
import { resolveGrantEdges, resolveGrantPath } from "./grant-path.ts";
import { isOfJunction, junctionChanges } from "./junction-columns.ts";
import {
  changeOfMeaning,
  changeOfWay,
  currentLabels,
  type MeaningChange,
  meaningsOfWay,
} from "./meaning.ts";

/** The value that a grant sets in a column; the caller cannot override it. */
export type Preset =
  | { readonly kind: "LITERAL"; readonly text: string | null }
  | { readonly kind: "VARIABLE"; readonly variable: Variable };

/** A grant resolved against the catalogue of its snapshot, with current column names. */
export interface EffectiveGrant {
  /** Null for the implicit grant of members of Administrators. */
  readonly id: string | null;
  /** Null grants all fields. */
  readonly fields: ReadonlySet<string> | null;
  /** Null grants all rows. */
  readonly filter: ParsedFilter | null;
  /** The condition on the new row: the grant's own check, else its filter; null allows every row. */
  readonly check: ParsedFilter | null;
  readonly presets: ReadonlyMap<string, Preset>;
}

/**
 * Why a grant allows nothing. `DROPPED`: its column was dropped. `MOVED`: its path leads to another column, or over other
 * relations. `VALUE`: its column cannot hold a literal. `UNKNOWN`: this build does not understand it. The others: its column
 * means something else than when the grant was saved.
 */
export type LossReason = MeaningChange | "DROPPED" | "MOVED" | "VALUE" | "UNKNOWN";

/** A part of a grant that is lost. */
export interface LostMention {
  readonly usage: GrantColumnRecord["usage"];
  /** The name that the grant uses; empty for the whole part. */
  readonly mention: string;
  readonly reason: LossReason;
}

/** Whether a mention has no column now, in contrast to one that means something else. */
export function isGone({ reason }: Pick<LostMention, "reason">): boolean {
  return reason === "DROPPED" || reason === "MOVED";
}

const sentences: Readonly<Record<LossReason, (name: string) => string>> = {
  DROPPED: (name) => `${name} was dropped`,
  MOVED: (name) => `${name} leads over other relations or to another column`,
  TYPE: (name) => `The type of ${name} has changed`,
  COLLATION: (name) => `The collation of ${name} has changed`,
  LOCALE: (name) => `The database orders ${name} by another default collation`,
  LABEL: (name) => `A label of ${name} was renamed or dropped`,
  VALUE: (name) => `${name} cannot be compared with its value`,
  UNKNOWN: () => "This version does not understand it",
};

/** Returns the reason of a loss as a sentence without a period, for an administrator. */
export function describeLoss({ mention, reason }: Pick<LostMention, "mention" | "reason">): string {
  return sentences[reason](mention);
}

/** A stored grant as it applies to a catalogue. */
export interface GrantTerms {
  /** Null if the grant allows nothing. */
  readonly grant: EffectiveGrant | null;
  /** Empty for an effective grant. */
  readonly lost: readonly LostMention[];
  /** The stored terms with the present labels of enums, and the names of columns as they are stored. */
  readonly rowFilter: unknown;
  readonly rowCheck: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
}

/**
 * Resolves a grant to current names. If its filter, check or a preset has lost a column, or a column means something else now,
 * the grant allows nothing, because the rest would allow more than the administrator intended.
 */
export function resolveGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): GrantTerms {
  return new GrantResolver(record, relation, catalogue).resolve();
}

class GrantResolver {
  readonly #record: GrantRecord;
  readonly #relation: Relation;
  readonly #catalogue: Catalogue;
  /** The table of users, whose columns variables name. */
  readonly #users: Relation | undefined;
  readonly #lost = new Map<string, LostMention>();
  /** The present column of each mention, and its name in a filter. */
  readonly #columns = new Map<
    string,
    { readonly bound: GrantColumnRecord; readonly column: Column; readonly name: string }
  >();

  constructor(record: GrantRecord, relation: Relation, catalogue: Catalogue) {
    this.#record = record;
    this.#relation = relation;
    this.#catalogue = catalogue;
    this.#users = catalogue.relationByName("system", "users");
  }

  resolve(): GrantTerms {
    const { columns, presets } = this.#record;
    for (const column of columns) this.#findColumn(column);
    const changes = junctionChanges(columns, this.#relation, this.#catalogue);
    for (const { usage, path } of changes) this.#lose(usage, path, "MOVED");
    const filter = this.#readFilter("FILTER", this.#record.rowFilter);
    const check = this.#readFilter("CHECK", this.#record.rowCheck);
    const set = Object.entries(presets).map(([mention, input]) => this.#readPreset(mention, input));
    const lost = [...this.#lost.values()];
    return {
      grant: lost.length > 0 ? null : this.#effective(filter.parsed, check.parsed, set),
      lost,
      rowFilter: filter.stored,
      rowCheck: check.stored,
      presets: Object.fromEntries(set.map(({ mention, input }) => [mention, input])),
    };
  }

  #effective(
    filter: ParsedFilter | null,
    check: ParsedFilter | null,
    presets: readonly { readonly name: string; readonly preset: Preset }[],
  ): EffectiveGrant {
    const fields = [...this.#columns.values()].flatMap(({ bound, column }) =>
      bound.usage === "FIELD" ? [column.name] : [],
    );
    return {
      id: this.#record.id,
      fields: this.#record.allFields ? null : new Set(fields),
      filter,
      check: check ?? filter,
      presets: new Map(presets.map(({ name, preset }) => [name, preset])),
    };
  }

  #lose(usage: GrantColumnRecord["usage"], mention: string, reason: LossReason): void {
    const key = `${usage} ${mention}`;
    if (!this.#lost.has(key)) this.#lost.set(key, { usage, mention, reason });
  }

  #findColumn(bound: GrantColumnRecord): void {
    const { usage, mention, attributeNumber, pathResourceId } = bound;
    if (isOfJunction(bound, this.#relation, this.#catalogue)) return;
    const path =
      pathResourceId === null
        ? undefined
        : resolveGrantPath(this.#catalogue, this.#relation, mention);
    const column =
      pathResourceId === null ? this.#relation.columnByNumber(attributeNumber) : path?.column;
    if (column === undefined) {
      // The registry removes a dropped field from the grant.
      if (usage !== "FIELD")
        this.#lose(usage, mention, pathResourceId === null ? "DROPPED" : "MOVED");
      return;
    }
    if (path !== undefined) {
      const isSame =
        path.relation.resource.id === pathResourceId && column.attributeNumber === attributeNumber;
      const change = isSame
        ? changeOfWay(bound.beside?.way, meaningsOfWay(this.#relation, path.edges))
        : "MOVED";
      if (change !== undefined) this.#lose(usage, mention, change);
    }
    if (usage === "FIELD" || usage === "PRESET") {
      const change = changeOfMeaning(bound.meaning, column.meaning, "VALUE");
      if (change !== undefined) this.#lose(usage, mention, change);
    }
    const name = path === undefined ? column.name : mention;
    this.#columns.set(`${usage} ${mention}`, { bound, column, name });
  }

  /** Returns the filter with current names, and its stored form with current labels. */
  #readFilter(
    usage: "FILTER" | "CHECK",
    stored: unknown,
  ): { readonly parsed: ParsedFilter | null; readonly stored: unknown } {
    if (stored === null) return { parsed: null, stored };
    const known = parseStoredFilter(stored);
    if (known === undefined) {
      this.#lose(usage, "", "UNKNOWN");
      return { parsed: null, stored };
    }
    const columnOf = (mention: string): MentionedColumn | undefined => {
      const found = this.#columns.get(`${usage} ${mention}`);
      if (found === undefined) return undefined;
      const { bound, column } = found;
      return { stored: bound.meaning, present: column.meaning, beside: bound.beside };
    };
    const { changed, filter } = readFilterMeaning(stored, known, columnOf, this.#users);
    for (const { mention, reason } of changed) this.#lose(usage, mention, reason);
    const labeled = filter === stored ? known : (parseStoredFilter(filter) ?? known);
    const named = renameFields(
      labeled.filter,
      (mention) => this.#columns.get(`${usage} ${mention}`)?.name,
      (mention) => this.#lose(usage, mention, "DROPPED"),
    );
    const parsed = { filter: named, slots: labeled.slots };
    this.#check(usage, parsed);
    return { parsed, stored: filter };
  }

  /** Finds what a request would fail on: a relation or a literal that does not fit. */
  #check(usage: "FILTER" | "CHECK", parsed: ParsedFilter): void {
    for (const { field } of relationsOf(parsed.filter)) {
      const path = plainPath(field);
      const edges = resolveGrantEdges(this.#catalogue, this.#relation, path);
      if (edges === undefined) this.#lose(usage, path, "MOVED");
    }
    for (const condition of conditionsOf(parsed.filter)) {
      const column = resolveGrantPath(this.#catalogue, this.#relation, condition.field)?.column;
      if (column === undefined) continue;
      try {
        const literals = checkCondition(this.#catalogue, this.#relation, condition, column);
        for (const binding of literals.bindings) {
          const slot = parsed.slots[binding.slot];
          if (slot !== undefined) bindSlot(binding, slot);
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#lose(usage, plainPath(condition.field), "VALUE");
      }
    }
  }

  #readPreset(
    mention: string,
    stored: unknown,
  ): {
    readonly mention: string;
    readonly name: string;
    readonly input: unknown;
    readonly preset: Preset;
  } {
    const nothing = { mention, name: mention, input: stored, preset: nullPreset };
    const found = this.#columns.get(`PRESET ${mention}`);
    if (found === undefined) {
      this.#lose("PRESET", mention, "DROPPED");
      return nothing;
    }
    const { bound, column } = found;
    const input = renameLabels(stored, currentLabels(bound.meaning, column.meaning));
    const preset = input === undefined ? undefined : readPreset(input);
    if (input === undefined || preset === undefined) {
      this.#lose("PRESET", mention, input === undefined ? "LABEL" : "UNKNOWN");
      return nothing;
    }
    if (preset.kind === "LITERAL") {
      const isPossible = preset.text === null || isPossibleValue(column.type, preset.text);
      if (!isPossible) this.#lose("PRESET", mention, "VALUE");
    } else {
      const change = changeOfVariable(preset.variable, bound.beside, this.#users, "VALUE");
      if (change !== undefined) this.#lose("PRESET", mention, change);
    }
    return { mention, name: column.name, input, preset };
  }
}

const nullPreset: Preset = { kind: "LITERAL", text: null };

/** Reads a literal, null or a variable; undefined for anything else. */
export function readPreset(input: unknown): Preset | undefined {
  if (input === null) return nullPreset;
  const variable = parseVariable(input);
  if (variable !== undefined) {
    return variable.kind === "VARIABLE" ? variable : undefined;
  }
  const text = parseScalar(input);
  return text === undefined ? undefined : { kind: "LITERAL", text };
}

/**
 * Replaces the mentions of a filter by current names. A mention is the text of a path, as its record has it, so that a path
 * always means what it was bound to.
 *
 * @param lose receives each mention without a name, which stays as it is
 */
function renameFields(
  filter: Filter,
  nameOf: (mention: string) => string | undefined,
  lose: (mention: string) => void,
): Filter {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return {
        kind: filter.kind,
        filters: filter.filters.map((inner) => renameFields(inner, nameOf, lose)),
      };
    case "NOT":
      return { kind: "NOT", filter: renameFields(filter.filter, nameOf, lose) };
    case "QUANTIFIED":
    case "COUNTED": {
      // Inner conditions are recorded as paths from the grant's own relation and keep their names.
      const field = plainPath(filter.field);
      const isBound = (mention: string) =>
        nameOf(`${field}.${mention}`) === undefined ? undefined : mention;
      const loseInner = (mention: string) => lose(`${field}.${mention}`);
      return { ...filter, field, filter: renameFields(filter.filter, isBound, loseInner) };
    }
    case "CONDITION":
      return mapFields(filter, (written) => {
        const mention = plainPath(written);
        const field = nameOf(mention);
        if (field === undefined) lose(mention);
        return field ?? mention;
      });
    default:
      return filter satisfies never;
  }
}
