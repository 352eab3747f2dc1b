// A port that a command wants to listen at.
import { UsageError } from '../../config/errors.ts';

/** The server, once it listens. Throws UsageError where the port cannot be opened; `what`: "the proxy cannot listen". */
export async function listeningAt<T>(
  { host, port }: { readonly host: string; readonly port: number },
  what: string,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new UsageError(
      'ASSAY_PORT_REFUSED',
      `${what} at ${host}, port ${port} (${code})`,
      code === 'EADDRINUSE' || code === 'EACCES'
        ? 'leave --port away for any free one'
        : 'name an address of this machine with --host, or leave --host away',
    );
  }
}
