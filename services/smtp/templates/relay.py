"""Takes mail over SMTP and hands it to a mail store over LMTP, before it answers."""

import asyncio
import contextlib
import signal
import smtplib
import sys
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.smtp import SMTP

DOMAIN = "{{ application }}.test"
# Seconds in which the store must connect, and answer each time.
PATIENCE = 30


class Relay:
    def __init__(self, host, port, threads):
        self.store = (host, port)
        self.pool = ThreadPoolExecutor(threads)

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.rpartition("@")[2] != DOMAIN:
            return "550 5.7.1 relaying denied"
        # What is answered to a message is what became of it, and that may differ from one mailbox to the next.
        if envelope.rcpt_tos:
            return "452 4.5.3 one recipient at a time"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        return await asyncio.get_running_loop().run_in_executor(self.pool, self.hand_over, envelope)

    def hand_over(self, envelope):
        [recipient] = envelope.rcpt_tos
        try:
            with contextlib.closing(smtplib.LMTP(*self.store, local_hostname=DOMAIN, timeout=PATIENCE)) as store:
                store.sendmail(envelope.mail_from, [recipient], envelope.content)
                # It is in the mailbox, whatever comes of the farewell.
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    store.quit()
        except smtplib.SMTPRecipientsRefused as refusal:
            return as_reply(*refusal.recipients[recipient])
        except smtplib.SMTPResponseException as refusal:
            return as_reply(refusal.smtp_code, refusal.smtp_error)
        except (OSError, smtplib.SMTPException) as fault:
            return f"451 4.3.0 the mail store does not answer: {type(fault).__name__}"
        return "250 2.0.0 delivered"


def as_reply(code, text):
    """What the store has answered, in one line."""
    if isinstance(text, bytes):
        text = text.decode("ascii", "replace")
    return f"{code} {' '.join(text.split())}"


async def serve(address, port, relay):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(relay, hostname=DOMAIN), address, port, backlog=1024)
    over = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, over.set)
    await over.wait()
    server.close()


if __name__ == "__main__":
    address, port, store_host, store_port, threads = sys.argv[1:]
    asyncio.run(serve(address, int(port), Relay(store_host, int(store_port), int(threads))))
