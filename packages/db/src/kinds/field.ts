/** A text that people or machines give. */
interface TextField {
  readonly type: "text" | "email" | "url";
  /** In characters. */
  readonly min?: number;
  readonly max?: number;
  /** Whether spaces at its ends are removed. */
  readonly trim?: true;
  /** Whether it is a name that people must be able to read. */
  readonly legible?: true;
  /** A regular expression, and what to say of a text that does not match it. */
  readonly pattern?: readonly [source: string, message: string];
}

interface ChoiceField {
  readonly type: "choice";
  readonly choices: readonly string[];
}

interface TextsField {
  readonly type: "texts";
  /** Maximum number of texts. */
  readonly max: number;
  readonly pattern?: TextField["pattern"];
}

interface ReferenceField {
  readonly type: "reference";
  /** The kind of the record whose id it holds. */
  readonly to: string;
}

/** `id`: of the record itself; `named`: records with their ids and names. */
interface PlainField {
  readonly type: "id" | "flag" | "count" | "moment" | "named" | "object";
}

/** How configuration documents have a field; those of the record's path have none. */
export interface DocumentField {
  /** Its name in documents; by default that of the field. */
  readonly name?: string;
  /** What a document without it means; a document must have a field without a default. */
  readonly default?: unknown;
  /** Whether documents may have longer texts than callers give: those of earlier versions are stored. */
  readonly isUnbounded?: true;
  /** Whether documents that are written have it also where it is the default. */
  readonly always?: true;
}

/** One field of a kind of record, as data: what is done with it follows from this. */
export type KindField = (TextField | ChoiceField | TextsField | ReferenceField | PlainField) & {
  /** An SQL expression over the row; by default its column. */
  readonly sql?: string;
  /** The property of the table that stores it; by default the one of its name. */
  readonly column?: string;
  /** When a caller may give it: for a new record (`ONCE`), for a stored one (`LATER`), for both, or not at all. */
  readonly set?: "ALWAYS" | "ONCE" | "LATER" | "NEVER";
  /** Whether a new record needs it. */
  readonly required?: true;
  readonly nullable?: true;
  /** What a new record has without it; by default false, or an empty text. */
  readonly initial?: boolean | string;
  /** Whether it is stored sealed or hashed, and never returned, logged, compared or written into documents. */
  readonly secret?: true;
  /**
   * Whether the entity tag has it: `NEVER` for what other records decide. A field that came after the first release of its
   * kind has `unless` with its default, so that the tags of two builds are equal.
   */
  readonly tag?: "NEVER" | { readonly unless: string | number | boolean | null };
  readonly document?: DocumentField;
  /** For the OpenAPI document. */
  readonly description?: string;
  /** What a change of it does, for the OpenAPI document. */
  readonly onChange?: string;
};

export type Fields = Readonly<Record<string, KindField>>;

type Bare<F extends KindField> = F extends { type: "choice"; choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { type: "flag" }
    ? boolean
    : F extends { type: "count" }
      ? number
      : F extends { type: "texts" }
        ? string[]
        : F extends { type: "named" }
          ? { readonly id: string; readonly name: string }[]
          : F extends { type: "object" }
            ? Readonly<Record<string, unknown>>
            : string;

/** The values of a field. */
export type ValueOf<F extends KindField> = Bare<F> | (F extends { nullable: true } ? null : never);

type Shown<All extends Fields> = {
  [Name in keyof All]: All[Name] extends { secret: true } ? never : Name;
}[keyof All];

type Given<All extends Fields, Set> = {
  [Name in keyof All]: All[Name] extends { set: infer Own }
    ? Own extends Set
      ? Name
      : never
    : Name;
}[keyof All];

type Required<All extends Fields> = {
  [Name in keyof All]: All[Name] extends { required: true } ? Name : never;
}[keyof All];

/** A record as it is returned: no field is secret. */
export type Stored<All extends Fields> = {
  readonly [Name in Shown<All>]: ValueOf<All[Name]>;
};

/** The fields that a caller may give for a new record. */
export type New<All extends Fields> = {
  readonly [Name in Extract<Given<All, "ALWAYS" | "ONCE">, Required<All>>]: ValueOf<All[Name]>;
} & {
  readonly [Name in Exclude<Given<All, "ALWAYS" | "ONCE">, Required<All>>]?:
    | ValueOf<All[Name]>
    | undefined;
};

/** The fields that a caller may change. */
export type Changes<All extends Fields> = {
  readonly [Name in Given<All, "ALWAYS" | "LATER">]?: ValueOf<All[Name]> | undefined;
};

type DocumentName<Name, F extends KindField> = F extends { document: infer Document }
  ? Document extends { name: infer Own extends string }
    ? Own
    : Name
  : never;

/** The fields of a record in its configuration document; a reference is the name of its record. */
export type Documented<All extends Fields> = {
  readonly [Name in keyof All as DocumentName<Name, All[Name]>]:
    | ValueOf<All[Name]>
    | (All[Name] extends { document: { default: null } } ? null : never);
};

/** The fields of a record that its configuration document has. */
export type Carried<All extends Fields> = {
  readonly [Name in keyof All as All[Name] extends { document: object } ? Name : never]: ValueOf<
    All[Name]
  >;
};

/** Whether a caller may give a field for a new record. */
export function isGivenOnce({ set = "ALWAYS" }: KindField): boolean {
  return set === "ALWAYS" || set === "ONCE";
}

/** Whether a caller may change a field of a stored record. */
export function isChangeable({ set = "ALWAYS" }: KindField): boolean {
  return set === "ALWAYS" || set === "LATER";
}
