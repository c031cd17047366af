import { kindFacts } from "./kinds.generated.ts";

export { kindFacts };

type Words = typeof import("../words/en/records.ts")["recordFields"];

/** A kind of record whose form follows from its description. */
export type DrawnKind = keyof Words & keyof typeof kindFacts;

type FieldsOf<Kind extends DrawnKind> = (typeof kindFacts)[Kind]["fields"];

/** What an administrator sets of a record. */
export type FormOf<Kind extends DrawnKind> = {
  readonly [Name in keyof FieldsOf<Kind>]: FieldsOf<Kind>[Name] extends { type: "flag" }
    ? boolean
    : string;
};

/** What the pages know of a field. */
export interface FieldFact {
  readonly name: string;
  readonly type: string;
  readonly initial: string | boolean;
  readonly choices?: readonly string[];
  /** Whether it is a text of several lines. */
  readonly isLong?: boolean;
  /** Whether only a new record takes it. */
  readonly isOnce?: boolean;
}

/** A kind whose page follows from its description, with the part of the configuration that its records belong to. */
export interface ListedKind {
  readonly kind: DrawnKind;
  readonly page: string;
  readonly part: string;
  /** The field that names a record in its documents. */
  readonly key: string;
}

/** The simple kinds, in the order of their names. */
export const listedKinds: readonly ListedKind[] = Object.entries(kindFacts).flatMap(
  ([kind, facts]) =>
    "simple" in facts
      ? [
          {
            kind: kind as DrawnKind,
            page: facts.page,
            ...(facts.simple as { part: string; key: string }),
          },
        ]
      : [],
);

/** Returns the fields that an administrator sets of a record. */
export function factsOf(kind: DrawnKind): readonly FieldFact[] {
  return Object.entries(kindFacts[kind].fields).map(([name, facts]) => ({ name, ...facts }));
}

/** Returns the form of a new record. */
export function blankForm<Kind extends DrawnKind>(kind: Kind): FormOf<Kind> {
  const entries = factsOf(kind).map(({ name, initial }) => [name, initial]);
  return Object.fromEntries(entries) as FormOf<Kind>;
}

/** Returns the form of a stored record. */
export function formOf<Kind extends DrawnKind>(kind: Kind, record: FormOf<Kind>): FormOf<Kind> {
  const entries = factsOf(kind).map(({ name }) => [name, record[name as keyof FormOf<Kind>]]);
  return Object.fromEntries(entries) as FormOf<Kind>;
}

/** Returns the JSON pointers of the fields that show their own faults. */
export function pointersOf(kind: DrawnKind): string[] {
  const texts = factsOf(kind).filter(({ type }) => type !== "flag");
  return texts.map(({ name }) => `/data/${name}`);
}
