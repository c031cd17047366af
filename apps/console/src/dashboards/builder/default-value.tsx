import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadList, UnreadText } from "../../records/editors/draft.ts";
import { ValueEditor } from "../../records/editors/value-editor.tsx";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Field } from "../../ui/field.tsx";

interface DefaultValueProps {
  readonly column: NavigationColumn;
  readonly isMultiple: boolean;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The value of a parameter for readers who have chosen none. A text that is no value stays in the editor alone. */
export function DefaultValue({ column, isMultiple, value, fault, onChange }: DefaultValueProps) {
  const t = useTranslations("dashboardBuilder");
  const id = useId();
  const [unread, setUnread] = useState<UnreadText | UnreadList>();
  return (
    <Field id={id} label={t("startsWith")} hint={t("startsWithHint")}>
      <ValueEditor
        id={id}
        column={{ ...column, array: isMultiple, nullable: true }}
        value={unread ?? value ?? null}
        fault={fault}
        onChange={(next) => {
          const isUnread = next instanceof UnreadText || next instanceof UnreadList;
          setUnread(isUnread ? next : undefined);
          if (isUnread) return;
          onChange(Array.isArray(next) && next.length === 0 ? null : (next ?? null));
        }}
      />
    </Field>
  );
}
