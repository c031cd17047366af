import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { ExpressionField } from "./expression-field.tsx";
import { jsonText, readJsonText } from "./json-text.ts";
import { useTypedText } from "./unread-texts.ts";

interface JsonFieldProps {
  readonly label: string;
  readonly pointer: string;
  readonly describedBy?: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Whether an empty text removes the value. */
  readonly isOptional?: boolean;
}

/** A value as JSON, with the place of a fault. The value stays as it was until the text is JSON. */
export function JsonField(props: JsonFieldProps) {
  const { label, pointer, describedBy, value, onChange, isOptional = false } = props;
  const t = useTranslations("workflowForm");
  const draft = useTypedText({
    ...{ pointer, value, onChange },
    print: jsonText,
    read: (text) => (isOptional && text.trim() === "" ? { value: undefined } : readJsonText(text)),
  });
  const { text, isUnread } = draft;
  const message = useMemo(() => {
    const fault = isUnread ? findJsonFault(text) : undefined;
    return fault === undefined ? undefined : { fault, text: t("notJson", { ...fault }) };
  }, [text, isUnread, t]);
  const faults = useMemo(
    () =>
      message === undefined
        ? []
        : [{ from: message.fault.offset, to: message.fault.offset + 1, message: message.text }],
    [message],
  );
  return (
    <div className="grid min-w-0 gap-1">
      <ExpressionField
        kind="JSON"
        label={label}
        describedBy={describedBy}
        text={text}
        onChange={draft.type}
        faults={faults}
      />
      {message !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {message.text}
        </p>
      )}
    </div>
  );
}
