<?php

declare(strict_types=1);

namespace Common;

use Throwable;

/** Where every request arrives that the web server can't answer with a file. */
final readonly class FrontController
{
    /** @param array<string, Route> $routes by path */
    public function __construct(
        private array $routes,
        private Templates $templates,
    ) {}

    /** Answers the request that this process is working on. */
    public function run(): void
    {
        register_shutdown_function($this->refuseAfterFatalError(...));
        try {
            $this->send(200, $this->page());
        } catch (Fault $fault) {
            $this->refuse($fault);
        } catch (Throwable $error) {
            // The file and line are ours, so the message, which may quote the visitor, comes last.
            error_log(sprintf(
                '%s in %s:%d: %s',
                $error::class,
                $error->getFile(),
                $error->getLine(),
                $error->getMessage(),
            ));
            $this->refuse(Fault::internal());
        }
    }

    /** @throws Fault */
    private function page(): Page
    {
        [$path] = cut(self::server('REQUEST_URI'), '?');
        $method = self::server('REQUEST_METHOD');
        $route = $this->routes[$path] ?? throw Fault::unknownPage();
        if ($method !== $route->method) {
            header("Allow: {$route->method}");
            throw Fault::wrongMethod($route->method);
        }
        $form = new Form($method === 'POST' ? $_POST : $_GET);
        $visit = new Visit($form, new Database(), new TokenKey(Environment::get('TIERBENCH_TOKEN_KEY')));
        return ($route->interaction)()->answer($visit);
    }

    private function refuse(Fault $fault): void
    {
        $this->send($fault->status, new Page($fault->heading(), 'error', ['fault' => $fault]));
    }

    /** What no `catch` sees, such as a request that takes too much memory or time, gets its page all the same. */
    private function refuseAfterFatalError(): void
    {
        $fatal = E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR;
        if (((error_get_last()['type'] ?? 0) & $fatal) === 0) {
            return;
        }
        while (ob_get_level() > 0) {
            ob_end_clean();
        }
        $this->refuse(Fault::internal());
    }

    private function send(int $status, Page $page): void
    {
        $html = $this->templates->render($page);
        http_response_code($status);
        header('Content-Type: text/html; charset=utf-8');
        header('Content-Length: ' . strlen($html));
        echo $html;
    }

    private static function server(string $name): string
    {
        $value = $_SERVER[$name] ?? null;
        return is_string($value) ? $value : '';
    }
}
