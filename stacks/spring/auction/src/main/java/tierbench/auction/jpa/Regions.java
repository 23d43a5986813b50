package tierbench.auction.jpa;

import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;

@Profile("jpa")
interface Regions extends JpaRepository<Region, Integer> {}
