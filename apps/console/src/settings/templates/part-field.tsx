import { useId } from "react";
import { useTranslations } from "use-intl";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";
import type { PartName } from "./template-parts.ts";
import type { Insertion } from "./use-insertion.ts";

interface PartFieldProps {
  readonly name: PartName;
  readonly text: string;
  readonly fault: string | undefined;
  readonly insertion: Insertion;
  readonly onChange: (text: string) => void;
}

/** The source of a part of a mail. */
export function PartField({ name, text, fault, insertion, onChange }: PartFieldProps) {
  const t = useTranslations("templates");
  const id = useId();
  const shared = {
    ...describedBy(id, undefined, fault),
    id,
    name,
    value: text,
    dir: "auto",
    autoComplete: "off",
    spellCheck: name !== "html",
    onFocus: () => insertion.choose(name),
  };
  return (
    <Field
      id={id}
      label={t(`parts.${name}`)}
      fault={fault === undefined ? undefined : <span lang="en">{fault}</span>}
    >
      {name === "subject" ? (
        <input
          {...shared}
          ref={(input) => insertion.place(name, input)}
          onChange={(event) => onChange(event.target.value)}
          className={inputClasses}
        />
      ) : (
        <textarea
          {...shared}
          ref={(input) => insertion.place(name, input)}
          rows={12}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClasses} h-auto py-1.5 font-mono text-2 leading-5`}
        />
      )}
    </Field>
  );
}
