/** Loaded into the server of a development loop: if the loop is killed, the server stops as at a signal. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
