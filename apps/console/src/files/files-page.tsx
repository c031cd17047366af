import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { StartFilesDialog } from "../grants/library/file-use-dialog.tsx";
import { filesResource } from "../records/library/file-record.ts";
import { navigationQuery, personQuery } from "../shell/navigation.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Library } from "./library.tsx";

/** The library: the files and folders that the person may read; or why there is none. */
export function FilesPage() {
  const { data: navigation } = useQuery(navigationQuery);
  const files = filesResource(navigation);
  const { data: person } = useQuery(personQuery);
  if (navigation === undefined || person === undefined) return null;
  if (files === undefined) return <NoFiles isAdministrator={person.isAdministrator} />;
  return <Library navigation={navigation} files={files} />;
}

/** In place of the library for a person who may read no files; an administrator can begin their use. */
function NoFiles({ isAdministrator }: { readonly isAdministrator: boolean }) {
  const t = useTranslations("files");
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} />
      {isAdministrator ? <Unused /> : <p className="text-ink-2">{t("noRights")}</p>}
    </div>
  );
}

function Unused() {
  const t = useTranslations("fileUse");
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <EmptyState title={t("unused")} text={t("unusedText")}>
        <Button kind="primary" onPress={() => setAsked(true)}>
          {t("startAsk")}
        </Button>
      </EmptyState>
      {isAsked && <StartFilesDialog onClose={() => setAsked(false)} />}
    </>
  );
}
