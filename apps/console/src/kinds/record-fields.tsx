import type { Task } from "../shell/use-task.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { SelectField } from "../ui/select.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useFieldTexts } from "./kind-texts.ts";
import { type DrawnKind, type FormOf, factsOf } from "./record-facts.ts";

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
    const fault = task.faultAt(`/data/${name}`);
    if (fault === undefined) return undefined;
    const taken = task.code === "CONFLICT" ? textOf(name, "taken") : undefined;
    return taken ?? textOf(name, "fault") ?? fault;
  };
  return (
    <>
      {shown
        .filter(({ type }) => type !== "flag")
        .map(({ name, choices, isLong }, index) => {
          const field = {
            label: textOf(name, "label") ?? name,
            name,
            value: String(values[name]),
            onChange: (value: string) => set(name, value),
            hint: textOf(name, "hint"),
            fault: faultOf(name),
          };
          if (choices !== undefined) {
            const options = choices.map((value) => ({
              value,
              label: textOf(name, value) ?? value,
            }));
            return <SelectField key={name} {...field} options={options} />;
          }
          if (isLong === true) return <TextArea key={name} {...field} />;
          const isFirst = index === 0 && props.isFirst === true;
          return <TextField key={name} {...field} autoComplete="off" isFirst={isFirst} />;
        })}
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
