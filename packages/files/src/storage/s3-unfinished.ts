import {
  ListMultipartUploadsCommand,
  type MultipartUpload,
  type S3Client,
} from "@aws-sdk/client-s3";

/** Lists the uploads in parts that began before a moment and have not ended, at most a page of each prefix. */
export async function listUnfinished(
  client: S3Client,
  bucket: string,
  prefixes: readonly string[],
  before: Date,
): Promise<readonly MultipartUpload[]> {
  const found: MultipartUpload[] = [];
  for (const prefix of prefixes) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
    const { Uploads = [] } = await client.send(command);
    found.push(...Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before));
  }
  return found;
}
