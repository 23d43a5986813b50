package tierbench.common;

import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** A text that is there and as a whole has this form. */
@NotNull
@Pattern(regexp = "")
@Constraint(validatedBy = {})
@Retention(RUNTIME)
@Target(PARAMETER)
public @interface Matches {
  String ID = "[1-9][0-9]{0,8}";
  String COUNT = "0|" + ID;
  String MONEY = "[0-9]{1,10}(\\.[0-9]{1,2})?";

  @OverridesAttribute(constraint = Pattern.class, name = "regexp")
  String value();

  String message() default "";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};
}
