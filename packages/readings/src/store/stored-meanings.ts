import {
  changeOfMeaning,
  type MeaningChange,
  type MeaningUse,
  plainPath,
  readNamedFilter,
  resolveGrantPath,
} from "@rowhouse/access";
import type { Catalogue, Relation } from "@rowhouse/db";
import type { MentionedName } from "./reading-columns.ts";

/** A field of a stored filter that means something else than when the filter was saved. */
export interface LostFilterField {
  readonly field: string;
  readonly reason: MeaningChange;
}

/** Compares the columns that the filters of a reading name with those that the filters were written for. */
export class StoredMeanings {
  readonly #relation: Relation | undefined;
  readonly #catalogue: Catalogue;
  /** The stored meanings by the current paths. */
  readonly #meanings: ReadonlyMap<string, string | null>;
  readonly #lost = new Map<string, MeaningChange>();

  constructor(
    meanings: ReadonlyMap<string, string | null>,
    relation: Relation | undefined,
    catalogue: Catalogue,
  ) {
    this.#meanings = meanings;
    this.#relation = relation;
    this.#catalogue = catalogue;
  }

  /** @param columns of the record to which the reading of the resource belongs */
  static ofReading(
    columns: readonly MentionedName[],
    resourceId: string | null,
    catalogue: Catalogue,
  ): StoredMeanings {
    const own = columns.filter((column) => column.resourceId === resourceId);
    const meanings = new Map(own.map(({ name, meaning }) => [name, meaning]));
    const relation = catalogue.relationByResource(resourceId ?? "");
    return new StoredMeanings(meanings, relation, catalogue);
  }

  get lost(): LostFilterField[] {
    return Array.from(this.#lost, ([field, reason]) => ({ field, reason }));
  }

  /** Reads a filter on rows, and returns it with the current labels of enums. */
  filter<Where>(where: Where): Where {
    if (this.#relation === undefined) return where;
    const { changed, filter } = readNamedFilter(where, this.#relation, this.#catalogue, (path) =>
      this.#meaningOf(path),
    );
    for (const { mention, reason } of changed) this.#lost.set(mention, reason);
    return filter as Where;
  }

  /**
   * Reads a field that is compared with a value.
   *
   * @param written as `readPath` returns it
   */
  field(written: string, use: MeaningUse): void {
    const path = plainPath(written);
    const column =
      this.#relation && resolveGrantPath(this.#catalogue, this.#relation, path)?.column;
    const reason = column && changeOfMeaning(this.#meaningOf(path), column.meaning, use);
    if (reason !== undefined) this.#lost.set(path, reason);
  }

  #meaningOf(path: string): string | null {
    return this.#meanings.get(path) ?? null;
  }
}
