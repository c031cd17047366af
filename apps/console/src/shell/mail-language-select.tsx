import { SelectField } from "../ui/select.tsx";
import { languages } from "../words/languages.ts";

const known = Object.keys(languages) as (keyof typeof languages)[];

/** The language of a person: one of the pages, or another that the account has already. */
export function MailLanguageSelect(props: {
  readonly label: string;
  /** The choice of no language; its value is the empty text. */
  readonly anyLabel: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
}) {
  const { value, anyLabel } = props;
  const other = known.some((one) => one === value) || value === "" ? [] : [value];
  return (
    <SelectField
      label={props.label}
      value={value}
      options={[
        { value: "", label: anyLabel },
        ...known.map((one) => ({ value: one, label: languages[one] })),
        ...other.map((one) => ({ value: one, label: one })),
      ]}
      onChange={props.onChange}
      hint={props.hint}
    />
  );
}
