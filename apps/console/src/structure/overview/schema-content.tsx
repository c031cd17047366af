import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { useTask } from "../../shell/use-task.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ToolButton, toolClasses } from "../../ui/tool-button.tsx";
import { newPath } from "../model/paths.ts";
import type { Schema } from "../model/queries.ts";
import { TableList } from "./table-list.tsx";
import { ViewList } from "./view-list.tsx";

/** The tables and views of a schema, with the ways to new ones. */
export function SchemaContent({ schema }: { readonly schema: Schema }) {
  const t = useTranslations("structure");
  const queries = useQueryClient();
  const [isDropping, setDropping] = useState(false);
  const { name, tables, views, comment } = schema;
  const drop = useTask(async () => {
    await client.admin.delete("/schema/{schema}", {
      path: { schema: name },
      query: { confirm: name },
    });
    await queries.invalidateQueries({ queryKey: ["structure", "schemas"] });
    setDropping(false);
  }, []);
  const isEmpty = tables + views === 0;
  return (
    <div className="grid min-w-0 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0">
          <h2 className="text-4 font-semibold wrap-anywhere" dir="auto">
            {name}
          </h2>
          {comment !== null && (
            <p dir="auto" className="text-ink-2">
              {comment}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {isEmpty && (
            <ToolButton kind="danger" onClick={() => setDropping(true)}>
              {t("dropSchema")}
            </ToolButton>
          )}
          <AppLink href={newPath(name, "view")} className={toolClasses("plain")}>
            {t("newView")}
          </AppLink>
          <AppLink href={newPath(name, "table")} className={toolClasses("primary")}>
            {t("newTable")}
          </AppLink>
        </div>
      </div>
      {isEmpty && <EmptyState title={t("emptySchema")} text={t("emptySchemaText")} />}
      {tables > 0 && <TableList schema={name} />}
      {views > 0 && <ViewList schema={name} />}
      {isDropping && (
        <ConfirmTask
          title={t("dropSchemaTitle", { name })}
          confirm={t("dropSchema")}
          task={drop}
          onClose={() => setDropping(false)}
        >
          {t("dropSchemaText")}
        </ConfirmTask>
      )}
    </div>
  );
}
