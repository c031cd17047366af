import { useTranslations } from "use-intl";
import { Checkbox } from "../ui/checkbox.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { TextField } from "../ui/text-field.tsx";
import { kindFacts } from "./kinds.generated.ts";
import type { Task } from "./use-task.ts";

type Words = typeof import("../words/en/administration/people.ts")["recordFields"];

/** A kind of record whose form follows from its description. */
type DrawnKind = keyof Words & keyof typeof kindFacts;

type FieldsOf<Kind extends DrawnKind> = (typeof kindFacts)[Kind]["fields"];

/** What an administrator sets of a record. */
export type FormOf<Kind extends DrawnKind> = {
  readonly [Name in keyof FieldsOf<Kind>]: FieldsOf<Kind>[Name] extends { type: "flag" }
    ? boolean
    : string;
};

interface Fact {
  readonly name: string;
  readonly type: string;
  readonly initial: string | boolean;
}

function factsOf(kind: DrawnKind): readonly Fact[] {
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

/** The fields of a record, in the order of its description; choices of yes or no follow the texts. */
export function RecordFields<Kind extends DrawnKind>(props: {
  readonly kind: Kind;
  readonly form: FormOf<Kind>;
  readonly onChange: (form: FormOf<Kind>) => void;
  readonly task: Task;
  /** Whether the task of the page begins in the first field. */
  readonly isFirst?: boolean;
  /** Fields that this record keeps. */
  readonly kept?: readonly (keyof FormOf<Kind>)[];
}) {
  const { kind, form, onChange, task } = props;
  const textOf = useFieldTexts(kind);
  const shown = factsOf(kind).filter(({ name }) => !props.kept?.includes(name as never));
  const values = form as Readonly<Record<string, string | boolean>>;
  const set = (name: string, value: string | boolean) =>
    onChange({ ...form, [name]: value } as FormOf<Kind>);
  const faultOf = (name: string) => {
    if (task.faultAt(`/data/${name}`) === undefined) return undefined;
    const taken = task.code === "CONFLICT" ? textOf(name, "taken") : undefined;
    return taken ?? textOf(name, "fault") ?? task.failure;
  };
  return (
    <>
      {shown
        .filter(({ type }) => type !== "flag")
        .map(({ name }, index) => (
          <TextField
            key={name}
            label={textOf(name, "label") ?? name}
            name={name}
            autoComplete="off"
            value={String(values[name])}
            onChange={(value) => set(name, value)}
            fault={faultOf(name)}
            isFirst={index === 0 && props.isFirst === true}
          />
        ))}
      <div className="grid gap-1">
        {shown
          .filter(({ type }) => type === "flag")
          .map(({ name }) => (
            <Checkbox
              key={name}
              label={textOf(name, "label") ?? name}
              isChecked={values[name] === true}
              onChange={(value) => set(name, value)}
            />
          ))}
      </div>
    </>
  );
}

/** Badges for the choices of a record: what is so, and what is not so where that has words. */
export function FieldBadges<Kind extends DrawnKind>(props: {
  readonly kind: Kind;
  readonly record: FormOf<Kind>;
}) {
  const textOf = useFieldTexts(props.kind);
  const values = props.record as Readonly<Record<string, unknown>>;
  return factsOf(props.kind).map(({ name, type }) => {
    if (type !== "flag") return null;
    const without = textOf(name, "noBadge");
    const text = values[name] === true ? textOf(name, "badge") : without;
    if (text === undefined) return null;
    const isNotable = values[name] === true && without !== undefined;
    return (
      <StateBadge key={name} look={isNotable ? "ok" : "plain"}>
        {text}
      </StateBadge>
    );
  });
}

/** Returns a reader of the texts of a kind's fields; undefined for a text that a field does not have. */
function useFieldTexts(kind: DrawnKind) {
  const t = useTranslations("recordFields");
  return (name: string, text: string): string | undefined => {
    const key = `${kind}.${name}.${text}` as "role.name.label";
    return t.has(key) ? t(key) : undefined;
  };
}
