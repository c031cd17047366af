import { Check, Copy } from "lucide-react";
import { useTranslations } from "use-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { useCopied } from "../ui/use-copied.ts";

/** A path of an API, with a button that copies its request as a command. */
export function CopyCurl({ path, name }: { readonly path: string; readonly name: string }) {
  const t = useTranslations("workspace");
  const { isCopied, copy } = useCopied();
  // The session stays out of the command, since a clipboard is read by other programs.
  const command = `curl '${location.origin}${path}' -H "Authorization: Bearer $TOKEN"`;
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2 text-ink-2" title={path}>
        {path}
      </code>
      <IconButton
        label={t("copy", { name })}
        icon={isCopied ? Check : Copy}
        onPress={() => copy(command)}
      />
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </div>
  );
}
