<?php

declare(strict_types=1);

namespace Common;

/** A folder of templates: plain PHP files, which say in `@var` comments what they show. */
final readonly class Templates
{
    public function __construct(
        private string $folder,
    ) {}

    /** A page within the layout that all pages of the application have, which sees the page's values, too. */
    public function render(Page $page): string
    {
        $content = $this->fill($page->template, $page->values);
        return $this->fill('layout', ['title' => $page->title, 'content' => $content] + $page->values);
    }

    /** @param array<string, mixed> $values */
    private function fill(string $template, array $values): string
    {
        ob_start();
        try {
            self::show("{$this->folder}/{$template}.php", $values);
            return (string) ob_get_contents();
        } finally {
            ob_end_clean();
        }
    }

    /**
     * Templates see the values as variables, and nothing of this class.
     *
     * @param array<string, mixed> $values
     */
    private static function show(string $file, array $values): void
    {
        extract($values);
        require $file;
    }
}
