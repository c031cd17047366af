import { useId } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";
import type { PartName } from "./template-parts.ts";

interface PartFieldProps {
  readonly name: PartName;
  readonly text: string;
  readonly fault: string | undefined;
  /** Whether the fault is a text of the page; a fault of the service is English. */
  readonly isOwnFault?: boolean;
  /** For the `ref` of the input. */
  readonly input?: (input: HTMLInputElement | HTMLTextAreaElement | null) => void;
  readonly onFocus?: () => void;
  readonly isLocked: boolean;
  readonly onChange: (text: string) => void;
}

const lines: ReadonlySet<PartName> = new Set(["subject", "title"]);
const spelled: ReadonlySet<PartName> = new Set(["subject", "text", "title"]);

const lockedLook = "read-only:border-line-strong read-only:bg-sunken read-only:text-ink-2";

/** The source of a part of a mail or of a document. */
export function PartField({
  name,
  text,
  fault,
  isOwnFault = false,
  input,
  onFocus,
  isLocked,
  onChange,
}: PartFieldProps) {
  const t = useTranslations("templates");
  const id = useId();
  const shared = {
    ...describedBy(id, undefined, fault),
    id,
    name,
    value: text,
    dir: "auto",
    autoComplete: "off",
    spellCheck: spelled.has(name),
    onFocus,
    // It is still scrolled and copied.
    readOnly: isLocked,
  };
  return (
    <Field
      id={id}
      label={t(`parts.${name}`)}
      fault={fault === undefined || isOwnFault ? fault : <span lang="en">{fault}</span>}
    >
      {lines.has(name) ? (
        <input
          {...shared}
          ref={input}
          onChange={(event) => onChange(event.target.value)}
          className={classes(inputClasses, isLocked && lockedLook)}
        />
      ) : (
        <textarea
          {...shared}
          ref={input}
          rows={12}
          onChange={(event) => onChange(event.target.value)}
          className={classes(
            inputClasses,
            "h-auto py-1.5 font-mono text-2 leading-5",
            isLocked && lockedLook,
          )}
        />
      )}
    </Field>
  );
}
