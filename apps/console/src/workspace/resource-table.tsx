import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { curlCommand } from "../shell/copy-text.tsx";
import { mcpCallText, readRowsCall, useMayCall, useMcp } from "../shell/mcp-call.ts";
import { type NavigationResource, resourcePath } from "../shell/navigation.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Bot, Check, Copy } from "../ui/icons.generated.ts";
import { useCopied } from "../ui/use-copied.ts";

/** More are shown on request: a thousand rows at once delay the page. */
const shownFirst = 50;

const cell = "px-3 py-1.5 text-left align-middle";

/** The tables and views that the person may use. On a phone each is a card. */
export function ResourceTable({
  resources,
}: {
  readonly resources: readonly NavigationResource[];
}) {
  const t = useTranslations("workspace");
  const [showsAll, showAll] = useState(false);
  const mayCall = useMayCall();
  const shown = showsAll ? resources : resources.slice(0, shownFirst);
  return (
    <section aria-labelledby="tables" className="grid gap-2">
      <h2 id="tables" className="text-4 font-semibold">
        {t("tables")}
      </h2>
      <div className="overflow-hidden rounded-panel border border-line bg-surface">
        <table className="w-full table-fixed border-collapse max-sm:block">
          <thead className="border-line border-b text-2 text-ink-2 max-sm:sr-only">
            <tr>
              <th scope="col" className={`${cell} font-medium`}>
                {t("name")}
              </th>
              <th scope="col" className={`${cell} w-56 font-medium max-md:hidden`}>
                {t("rights")}
              </th>
              {mayCall && (
                <th scope="col" className={`${cell} font-medium`}>
                  {t("path")}
                </th>
              )}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {shown.map((resource) => (
              <ResourceRow key={resource.id} resource={resource} mayCall={mayCall} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < resources.length && (
        <div>
          <Button onPress={() => showAll(true)}>{t("showAll", { count: resources.length })}</Button>
        </div>
      )}
    </section>
  );
}

function ResourceRow(props: { readonly resource: NavigationResource; readonly mayCall: boolean }) {
  const t = useTranslations("workspace");
  const { resource, mayCall } = props;
  const { schema, name, label, actions } = resource;
  return (
    <tr className="border-line border-b last:border-b-0 max-sm:block max-sm:py-1.5">
      <th scope="row" className={`${cell} font-normal max-sm:block`}>
        <AppLink
          href={resourcePath(resource)}
          className="block truncate font-medium text-ink underline-offset-2 hover:text-accent hover:underline"
          title={label ?? name}
          dir="auto"
        >
          {label ?? name}
        </AppLink>
        <span className="block truncate text-2 text-ink-2" title={`${schema}.${name}`} dir="auto">
          {schema}
        </span>
      </th>
      <td className={`${cell} text-ink-2 max-md:hidden`}>
        {actions.map((action) => t(action)).join(", ")}
      </td>
      {mayCall && (
        <td className={`${cell} max-sm:block`}>
          <CopyRequest resource={resource} />
        </td>
      )}
    </tr>
  );
}

/** The path of a table or view, with buttons that copy its request as a command and as a call of the MCP server. */
function CopyRequest({ resource }: { readonly resource: NavigationResource }) {
  const t = useTranslations("workspace");
  const hasMcp = useMcp();
  const { path, label, name } = resource;
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2 text-ink-2" title={path}>
        {path}
      </code>
      <CopyIcon label={t("copy", { name: label ?? name })} icon={Copy} text={curlCommand(path)} />
      {hasMcp && (
        <CopyIcon
          label={t("copyCall", { name: label ?? name })}
          icon={Bot}
          text={mcpCallText(readRowsCall(resource))}
        />
      )}
    </div>
  );
}

function CopyIcon(props: {
  readonly label: string;
  readonly icon: typeof Copy;
  readonly text: string;
}) {
  const t = useTranslations("workspace");
  const { isCopied, copy } = useCopied();
  return (
    <>
      <IconButton
        label={props.label}
        icon={isCopied ? Check : props.icon}
        onPress={() => copy(props.text)}
      />
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </>
  );
}
