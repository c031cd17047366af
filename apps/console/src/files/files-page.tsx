import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { StartFilesDialog } from "../grants/library/file-use-dialog.tsx";
import { filesResource } from "../records/library/file-record.ts";
import { MissingPage } from "../shell/message-page.tsx";
import { navigationQuery, personQuery } from "../shell/navigation.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Library } from "./library.tsx";

/** The library: the files and folders that the person may read. An administrator who may read none can begin their use. */
export function FilesPage() {
  const { data: navigation } = useQuery(navigationQuery);
  const { data: person } = useQuery(personQuery);
  const files = filesResource(navigation);
  if (navigation === undefined || person === undefined) return null;
  if (files !== undefined) return <Library navigation={navigation} files={files} />;
  return person.isAdministrator ? <Unused /> : <MissingPage isInFrame />;
}

function Unused() {
  const t = useTranslations("fileUse");
  const title = useTranslations("files")("title");
  const [isAsked, setAsked] = useState(false);
  useTitle(title);
  return (
    <div className={pageClasses}>
      <PageHead title={title} />
      <EmptyState title={t("unused")} text={t("unusedText")}>
        <Button kind="primary" onPress={() => setAsked(true)}>
          {t("startAsk")}
        </Button>
      </EmptyState>
      {isAsked && <StartFilesDialog onClose={() => setAsked(false)} />}
    </div>
  );
}
