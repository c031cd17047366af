import { useQuery } from "@tanstack/react-query";
import { filesResource } from "../records/library/file-record.ts";
import { MissingPage } from "../shell/message-page.tsx";
import { navigationQuery } from "../shell/navigation.ts";
import { Library } from "./library.tsx";

/** The library: the files and folders that the person may read. */
export function FilesPage() {
  const { data: navigation } = useQuery(navigationQuery);
  const files = filesResource(navigation);
  if (navigation === undefined) return null;
  if (files === undefined) return <MissingPage isInFrame />;
  return <Library navigation={navigation} files={files} />;
}
