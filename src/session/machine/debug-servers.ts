/** The servers that the environment names, separated by blanks as debuginfod's own client has it. */
export function serversOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return (environment['DEBUGINFOD_URLS'] ?? '').split(/\s+/).filter((url) => url !== '');
}
