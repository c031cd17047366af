import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { filesAddress } from "../records/library/file-record.ts";
import { resourcesQuery } from "../shell/resource-queries.ts";
import { Switch } from "../ui/switch.tsx";

/** Whether files are in use; the switch asks before it changes anything. */
export function FileUseRow(props: { readonly onAsk: (isUsed: boolean) => void }) {
  const t = useTranslations("fileUse");
  const { data } = useQuery(resourcesQuery);
  const { schema, name } = filesAddress;
  const files = data?.find((one) => one.schema === schema && one.name === name);
  const isUsed = files?.exposedMethods.includes("GET") === true;
  return (
    <div className="border-line border-b px-4 py-3">
      <Switch
        label={t("start")}
        hint={t(isUsed ? "usedHint" : "unusedText")}
        isOn={isUsed}
        isDisabled={files === undefined}
        onChange={props.onAsk}
      />
    </div>
  );
}
