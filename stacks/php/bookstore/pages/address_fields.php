<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/**
 * @var string $required
 * @var list<Row> $countries
 */
?>
<p><label for="STREET_1">Street</label> <input id="STREET_1" name="STREET_1" maxlength="40" autocomplete="address-line1"<?= $required ?>></p>
<p><label for="STREET_2">Street, second line</label> <input id="STREET_2" name="STREET_2" maxlength="40" autocomplete="address-line2"></p>
<p><label for="CITY">City</label> <input id="CITY" name="CITY" maxlength="30" autocomplete="address-level2"<?= $required ?>></p>
<p><label for="STATE">State</label> <input id="STATE" name="STATE" maxlength="20" autocomplete="address-level1"<?= $required ?>></p>
<p><label for="ZIP">Postal code</label> <input id="ZIP" name="ZIP" maxlength="10" autocomplete="postal-code"<?= $required ?>></p>
<p><label for="COUNTRY">Country</label> <select id="COUNTRY" name="COUNTRY">
<?php foreach ($countries as $country): ?>
<option value="<?= e($country->int('co_id')) ?>"><?= e($country->text('co_name')) ?></option>
<?php endforeach ?>
</select></p>
