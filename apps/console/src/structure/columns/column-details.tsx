import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Badge } from "../../records/values/badge.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { ColumnModel } from "../model/column-model.ts";
import type { ColumnEdit, NewColumn } from "../model/draft.ts";
import { editColumn, editNewColumn, removeNewColumn, restoreColumn } from "../model/edit-draft.ts";
import type { PlacedText } from "../model/places.ts";
import { columnsQuery } from "../model/queries.ts";
import { LineField } from "./line-field.tsx";

/** Everything of a column that its line does not edit. */
export function ColumnDetails(props: {
  readonly column: ColumnModel;
  readonly faults: readonly PlacedText[];
}) {
  const t = useTranslations("tableDraft");
  const { column, faults } = props;
  const { table } = useDraft();
  const { edit, drop, restore } = useColumnEdit(column);
  const { origin, mark } = column;
  const faultOf = (member: string) => faults.find((fault) => fault.member === member)?.message;
  if (mark === "dropped") {
    return (
      <div className="flex flex-wrap items-center gap-4 py-2 pl-7">
        <Checkbox
          label={t("cascade")}
          isChecked={column.isCascade}
          onChange={(isCascade) => edit({ isCascade })}
        />
        <ToolButton onClick={restore}>{t("keepColumn")}</ToolButton>
      </div>
    );
  }
  const isConverted = origin !== undefined && origin.dataType !== column.dataType;
  return (
    <div className="grid gap-3 py-2 pr-1 pl-7 sm:grid-cols-2">
      {column.generatedAs === null && !column.isIdentity && (
        <LineField
          label={t("default")}
          hint={t("defaultHint")}
          value={column.default}
          onChange={(value) => edit({ default: value })}
          fault={faultOf("default")}
          isCode
        />
      )}
      <LineField
        label={t("comment")}
        value={column.comment}
        onChange={(comment) => edit({ comment })}
        fault={faultOf("comment")}
      />
      {isConverted && (
        <LineField
          label={t("using")}
          hint={t("usingHint", { name: column.name, type: column.dataType })}
          value={column.using}
          onChange={(using) => edit({ using })}
          fault={faultOf("using")}
          isCode
        />
      )}
      {origin === undefined && (
        <>
          <LineField
            label={t("check")}
            hint={t("checkHint", { name: column.name || "name" })}
            value={column.check}
            onChange={(check) => edit({ check })}
            fault={faultOf("check")}
            isCode
          />
          <LineField
            label={t("checkMessage")}
            hint={t("checkMessageHint")}
            value={column.checkMessage}
            onChange={(checkMessage) => edit({ checkMessage })}
            fault={faultOf("checkMessage")}
          />
        </>
      )}
      {origin !== undefined && table !== null && (
        <EnumValues resourceId={table.resourceId} column={origin.name} />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-2">
        {column.generatedAs === null && (
          <Checkbox
            label={t("identityField")}
            isChecked={column.isIdentity}
            onChange={(isIdentity) =>
              edit({ isIdentity, ...(isIdentity && { default: "", isRequired: true }) })
            }
          />
        )}
        {table === null && (
          <Checkbox
            label={t("inKey")}
            isChecked={column.isKey}
            onChange={(isKey) => edit({ isKey })}
          />
        )}
        <span className="flex-1" />
        {mark === "changed" && <ToolButton onClick={restore}>{t("restoreColumn")}</ToolButton>}
        <ToolButton kind="danger" onClick={drop}>
          {t(origin === undefined ? "removeColumn" : "dropColumn")}
        </ToolButton>
      </div>
    </div>
  );
}

/** The values of a column whose type lists them. */
function EnumValues(props: { readonly resourceId: string; readonly column: string }) {
  const t = useTranslations("tableDraft");
  const { data } = useQuery(columnsQuery(props.resourceId));
  const values = data?.find(({ name }) => name === props.column)?.values ?? null;
  if (values === null) return null;
  return (
    <div className="grid gap-1.5">
      <p className="font-medium">{t("values")}</p>
      <div className="flex flex-wrap gap-1">
        {values.map((value) => (
          <Badge key={value} color="gray">
            {value}
          </Badge>
        ))}
      </div>
    </div>
  );
}

/** What can be done with a column of the draft. */
export function useColumnEdit(column: ColumnModel) {
  const { change } = useDraft();
  const { id, origin } = column;
  return {
    /** Changes a property that columns of the table and new ones have. */
    edit: (edit: ColumnEdit & Partial<NewColumn>) =>
      change((last) =>
        origin === undefined ? editNewColumn(last, id, edit) : editColumn(last, id, edit),
      ),
    drop: () =>
      change((last) =>
        origin === undefined
          ? removeNewColumn(last, id)
          : editColumn(last, id, { isDropped: true }),
      ),
    restore: () => change((last) => restoreColumn(last, id)),
  };
}
